// Multi-head attention whose heads compare by a score of their own.
#include <gradual/nn/attention/multi_head.hpp>

#include <gradual/nn/attention/multi_head_naive.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/positions/in_attention.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

constexpr Index layer_width = 8, layer_heads = 2, layer_head_width = layer_width / layer_heads;

MultiHeadAttention made(const std::string& score, const SelfAttentionOptions& self = {}) {
  MultiHeadAttention attention(layer_width, layer_heads, 0, Random(3), "attention", self, {score, 9});
  attention.bias.set_value(random_tensor({3 * layer_width}, 4));
  if (attention.positions.name() == "relative")
    attention.positions.as<RelativePositions>().table.set_value(random_tensor({layer_heads, 33}, 5, -2, 2));
  return attention;
}

// The same layer with queries that are `factor` times as long.
MultiHeadAttention with_queries_times(Real factor, MultiHeadAttention attention) {
  Tensor weight = attention.weight.value(), bias = attention.bias.value();
  Real *w = weight.mutable_data(), *b = bias.mutable_data();
  for (Index i = 0; i < layer_width * layer_width; ++i) w[i] *= factor;
  for (Index i = 0; i < layer_width; ++i) b[i] *= factor;
  attention.weight.set_value(weight);
  attention.bias.set_value(bias);
  return attention;
}

// The outputs of self-attention and of attention to a memory, the weights and the gradient of the input.
struct BothAttentions {
  std::vector<Tensor> results;

  explicit BothAttentions(const MultiHeadAttention& attention, bool causal) {
    const Var x = Var::parameter(random_tensor({2, 5, layer_width}, 1)),
              memory = random_tensor({2, 4, layer_width}, 2);
    AttentionRecorder recorder;
    const Var own = attention(x, {Indices({2}, {5, 3}), causal});
    const Var other = attention(x, memory, {Indices({2}, {2, 4})});
    backward(sum((own + other) * Var(random_tensor({2, 5, layer_width}, 6))));
    results = {own.value(), other.value(), recorder.recorded().at(0).weights,
               recorder.recorded().at(1).weights, x.grad()};
  }
};

}  // namespace

TEST_CASE("multi-head attention: by dot products of queries divided by √d it is what the kernel computes") {
  for (const std::string& kind : position_kinds().names()) {
    for (const bool causal : {false, true}) {
      INFO(kind << ", causal " << causal);
      const SelfAttentionOptions self{kind, causal ? 2 : 0};
      const BothAttentions kernel(made("scaled_dot", self), causal);
      const BothAttentions heads_in_turn(
          with_queries_times(1 / std::sqrt(static_cast<Real>(layer_head_width)), made("dot", self)), causal);
      for (std::size_t i = 0; i < kernel.results.size(); ++i) {
        INFO("result " << i);
        CHECK(difference(heads_in_turn.results[i], kernel.results[i]) == "");
      }
    }
  }
}

TEST_CASE("multi-head attention: with any score it is the list of heads with those scores") {
  for (const std::string& name : score_names()) {
    if (name == "scaled_dot") continue;  // it has no heads to put into a list
    INFO(name);
    const MultiHeadAttention packed = made(name);
    MultiHeadNaive list({layer_width, layer_heads, layer_head_width, layer_head_width}, name, 0, Random(9));
    for (Index h = 0; h < layer_heads; ++h) {
      AttentionHead& head = list.heads[static_cast<std::size_t>(h)];
      head.attention = packed.scored_heads[static_cast<std::size_t>(h)];
      Linear* const parts[] = {&head.queries, &head.keys, &head.values};
      for (Index part = 0; part < 3; ++part) {
        const Index first = part * layer_width + h * layer_head_width;
        parts[part]->weight.set_value(packed.weight.value().rows(first, first + layer_head_width));
        parts[part]->bias.set_value(packed.bias.value().rows(first, first + layer_head_width));
      }
    }
    list.output = packed.output;
    const Var x = random_tensor({2, 3, layer_width}, 1), memory = random_tensor({2, 5, layer_width}, 2);
    const AttentionMask mask{Indices({2}, {5, 2})};
    CHECK(difference(packed(x, memory, mask).value(), list(x, memory, mask).value()) == "");
  }
}

TEST_CASE("multi-head attention: each head has a score of its own, and the kernel's has none") {
  MultiHeadAttention general = made("general");
  std::vector<std::string> names;
  for (const NamedParameter& parameter : parameters(general)) names.push_back(parameter.name);
  CHECK(names == std::vector<std::string>{"weight", "bias", "output.weight", "output.bias",
                                          "heads.0.score.weight", "heads.1.score.weight"});
  CHECK(difference(general.scored_heads[0].prepare(Tensor::ones({1, 1, layer_head_width})).value(),
                   general.scored_heads[1].prepare(Tensor::ones({1, 1, layer_head_width})).value()) != "");
  MultiHeadAttention kernel = made("scaled_dot");
  CHECK(parameters(kernel).size() == 4);
}

TEST_CASE("multi-head attention: word by word equals all at once, for each score, with places and a window") {
  const Tensor x = random_tensor({2, 7, layer_width}, 1);
  AttentionMask causal;
  causal.causal = true;
  for (const std::string& name : score_names()) {
    for (const std::string kind : {"none", "relative", "rotary"}) {
      for (const Index window : {0, 2}) {
        INFO(name << ", " << kind << ", window " << window);
        const MultiHeadAttention attention = made(name, {kind, window});
        const Tensor together = attention(Var(x), causal).value();
        KeyValueCache cache;
        for (Index t = 0; t < 7; ++t)
          CHECK(difference(attention.next(Var(slice(x, 1, t, t + 1)), cache).value(),
                           slice(together, 1, t, t + 1)) == "");
      }
    }
  }
}

TEST_CASE(
    "multi-head attention: a remembered source under padding is attended to as at once, for each score") {
  const Var x = random_tensor({2, 1, layer_width}, 1), memory = random_tensor({2, 5, layer_width}, 2);
  const Indices lengths({2}, {5, 2});
  for (const std::string& name : score_names()) {
    INFO(name);
    const MultiHeadAttention attention = made(name);
    AttentionRecorder recorder;
    const Tensor step = attention.attend(x, attention.remember(memory), lengths).value();
    CHECK(difference(step, attention(x, memory, {lengths}).value()) == "");
    CHECK(difference(recorder.recorded()[0].weights, recorder.recorded()[1].weights) == "");
  }
}

TEST_CASE(
    "multi-head attention: an unknown score, another batch, and more keys than location has places, are "
    "refused") {
  CHECK_THROWS_WITH(
      made("none"),
      Contains("score: the name must be a known one: got \"none\"; known are additive, concat, cosine, dot, "
               "general, location, scaled_dot") &&
          Contains("; a program adds its own with score_kinds().add(name, …)"));
  CHECK_THROWS_WITH(
      made("dot")(Var(Tensor::ones({2, 3, layer_width})), Var(Tensor::ones({3, 5, layer_width}))),
      "attention: queries must be [B, T, D] and keys [B, S, D]: they come from [2, 3, 8] and "
      "[3, 5, 16]");
  CHECK_THROWS_WITH(made("location")(Var(Tensor::ones({1, 10, layer_width}))),
                    "location score: it was made for up to 9 keys: got 10");
}

TEST_CASE(
    "multi-head attention: of a batch each word comes alone, to what a layer of its own width remembers") {
  for (const std::string& name : score_names()) {
    INFO(name);
    const MultiHeadAttention attention = made(name);
    const KeyValueCache memory = attention.remember(Var(random_tensor({2, 5, layer_width}, 1)));
    CHECK_THROWS_WITH(attention.attend(Var(random_tensor({2, 3, layer_width}, 2)), memory, {}),
                      Contains("words must come one by one, [B, 1, D]: got [2, 3, "));
    const MultiHeadAttention narrow(layer_width / 2, 1, 0, Random(1));
    const KeyValueCache other = narrow.remember(Var(random_tensor({2, 5, layer_width / 2}, 1)));
    CHECK_THROWS_WITH(attention.attend(Var(random_tensor({2, 1, layer_width}, 2)), other, {}),
                      Contains("must have keys and values of the layer's width"));
  }
  CHECK_THROWS_WITH(made("scaled_dot", {"none", -3}),
                    Contains("a window must be at least 0") && Contains("got -3"));
}
