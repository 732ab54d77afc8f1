#include <gradual/nn/layers/layers.hpp>

#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/layers/initialization.hpp>

namespace gradual {

Linear::Linear(Index in, Index out, Random random, Bias with_bias)
    : weight(Var::parameter(glorot_uniform(out, in, random))),
      bias(with_bias == Bias::yes ? Var::parameter(Tensor::zeros({out})) : Var()) {}

void Linear::visit(Visitor& visitor) {
  visitor("weight", weight);
  visitor("bias", bias);
}

Embedding::Embedding(Index entries, Index width, Random random)
    : weight(Var::parameter(
          normal_tensor({entries, width}, 1 / std::sqrt(static_cast<double>(width)), random))) {}

LayerNorm::LayerNorm(Index width, Real epsilon)
    : gain(Var::parameter(Tensor::ones({width}))),
      bias(Var::parameter(Tensor::zeros({width}))),
      epsilon_(epsilon) {}

void LayerNorm::visit(Visitor& visitor) {
  visitor("gain", gain);
  visitor("bias", bias);
}

Dropout::Dropout(double p, Random random) : p_(p), random_(random) {
  DropoutMask(p, 0);  // checks p
}

DropoutMask Dropout::next_mask() const {
  if (!mode_.training || p_ == 0) return {};
  return DropoutMask(p_, static_cast<std::uint32_t>(random_.next_u64()));
}

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
  return outer(activation_ == Activation::relu ? relu_dropped(hidden, mask) : dropout(gelu(hidden), mask));
}

}  // namespace gradual
