#include <gradual/nn/layers/feed_forward.hpp>

namespace gradual {
namespace {

// ½(1 + tanh(u)) = σ(2u). Far from 0, where σ is 0 or 1 to all digits, its slope would be ∞·0.
Var gelu_by_tanh(const Var& z) {
  constexpr Real twice_root_two_over_pi = Real(1.5957691216057308), far = 40;
  const Var near = clip(z, -far, far);
  return z * sigmoid(twice_root_two_over_pi * (near + Real(0.044715) * (near * near * near)));
}

Var activated(Activation activation, const Var& z) {
  return activation == Activation::gelu   ? gelu(z)
         : activation == Activation::silu ? silu(z)
                                          : gelu_by_tanh(z);
}

Part<Layer> feed_forward(Activation activation, const FeedForwardSizes& s, Random random) {
  return FeedForward(s.width, s.inner_width, activation, s.dropout, random);
}

}  // namespace

FeedForward::FeedForward(Index width, Index inner_width, Activation activation, double dropout, Random random)
    : inner(width, inner_width, random),
      outer(inner_width, width, random),
      activation_(activation),
      dropout_(dropout, random) {}

void FeedForward::visit(Visitor& visitor) {
  visitor("inner", inner);
  visitor("outer", outer);
  visitor("dropout", dropout_);
}

Var FeedForward::operator()(const Var& x) const {
  const Var hidden = inner(x);
  const DropoutMask mask = dropout_.next_mask();
  return outer(activation_ == Activation::relu ? relu_dropped(hidden, mask)
                                               : dropout(activated(activation_, hidden), mask));
}

SwiGlu::SwiGlu(Index width, Index inner_width, double dropout, Random random)
    : gate(width, inner_width, random, Linear::Bias::no),
      inner(width, inner_width, random, Linear::Bias::no),
      outer(inner_width, width, random, Linear::Bias::no),
      dropout_(dropout, random) {}

void SwiGlu::visit(Visitor& visitor) {
  visitor("gate", gate);
  visitor("inner", inner);
  visitor("outer", outer);
  visitor("dropout", dropout_);
}

Var SwiGlu::operator()(const Var& x) const { return outer(dropout_(silu(gate(x)) * inner(x))); }

Registry<MakeFeedForward>& feed_forwards() {
  static Registry<MakeFeedForward> all(
      "feed-forward: the name", "feed_forwards().add",
      {{"relu",
        [](const FeedForwardSizes& s, Random random) { return feed_forward(Activation::relu, s, random); }},
       {"gelu",
        [](const FeedForwardSizes& s, Random random) { return feed_forward(Activation::gelu, s, random); }},
       {"gelu_tanh", [](const FeedForwardSizes& s,
                        Random random) { return feed_forward(Activation::gelu_tanh, s, random); }},
       {"silu",
        [](const FeedForwardSizes& s, Random random) { return feed_forward(Activation::silu, s, random); }},
       {"swiglu", [](const FeedForwardSizes& s, Random random) {
          return SwiGlu(s.width, s.inner_width, s.dropout, random);
        }}});
  return all;
}

Part<Layer> make_feed_forward(const std::string& name, const FeedForwardSizes& sizes, Random random) {
  return feed_forwards().at(name)(sizes, random).named(name);
}

}  // namespace gradual
