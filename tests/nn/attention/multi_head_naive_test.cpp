// Multi-head attention told twice: the list of heads and the fused layer agree.
#include <gradual/nn/attention/multi_head_naive.hpp>

#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/recorder.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

constexpr Index width = 6, heads = 3, head_width = width / heads;

// The rows of the fused weight [3·D, D] that belong to a head: part 0 makes queries, 1 keys, 2 values.
Tensor head_rows(const Tensor& packed, Index part, Index head) {
  const Index first = part * width + head * head_width;
  return packed.rows(first, first + head_width);
}

MultiHeadNaive naive_like(const MultiHeadAttention& fused) {
  MultiHeadNaive naive({width, heads, head_width, head_width}, "scaled_dot", 0, Random(2));
  for (Index h = 0; h < heads; ++h) {
    AttentionHead& head = naive.heads[static_cast<std::size_t>(h)];
    Linear* const parts[] = {&head.queries, &head.keys, &head.values};
    for (Index part = 0; part < 3; ++part) {
      parts[part]->weight.set_value(head_rows(fused.weight.value(), part, h));
      parts[part]->bias.set_value(head_rows(fused.bias.value(), part, h));
    }
  }
  naive.output.weight.set_value(fused.output.weight.value());
  naive.output.bias.set_value(fused.output.bias.value());
  return naive;
}

struct Run {
  Var x = Var::parameter(random_tensor({2, 4, width}, 1)),
      memory = Var::parameter(random_tensor({2, 5, width}, 2));
  Tensor output, weights;

  template <class Attend>
  explicit Run(Attend attend) {
    AttentionRecorder recorder;
    const Var y = attend(x, memory);
    backward(sum(y * Var(random_tensor(y.shape(), 3))));
    output = y.value();
    weights = recorder.recorded().at(0).weights;
  }
};

template <class FusedCall, class NaiveCall>
void check_same(FusedCall fused_call, NaiveCall naive_call) {
  MultiHeadAttention fused(width, heads, 0, Random(1));
  fused.bias.set_value(random_tensor({3 * width}, 5));
  MultiHeadNaive naive = naive_like(fused);
  const Run ours([&](const Var& x, const Var& memory) { return fused_call(fused, x, memory); });
  const Run theirs([&](const Var& x, const Var& memory) { return naive_call(naive, x, memory); });

  CHECK(difference(ours.output, theirs.output) == "");
  CHECK(difference(ours.weights, theirs.weights) == "");
  CHECK(difference(ours.x.grad(), theirs.x.grad()) == "");
  if (theirs.memory.grad().defined()) CHECK(difference(ours.memory.grad(), theirs.memory.grad()) == "");
  CHECK(difference(fused.output.weight.grad(), naive.output.weight.grad()) == "");
  CHECK(difference(fused.output.bias.grad(), naive.output.bias.grad()) == "");
  for (Index h = 0; h < heads; ++h) {
    const AttentionHead& head = naive.heads[static_cast<std::size_t>(h)];
    const Linear* const parts[] = {&head.queries, &head.keys, &head.values};
    for (Index part = 0; part < 3; ++part) {
      INFO("head " << h << ", part " << part);
      CHECK(difference(head_rows(fused.weight.grad(), part, h), parts[part]->weight.grad()) == "");
      // A key's bias adds the same number to all scores of a query, which the softmax takes out: 0 but for
      // rounding.
      if (part != 1) CHECK(difference(head_rows(fused.bias.grad(), part, h), parts[part]->bias.grad()) == "");
    }
  }
}

}  // namespace

TEST_CASE("multi-head attention: naive and fused agree as encoder self-attention under padding") {
  const AttentionMask mask{Indices({2}, {4, 2})};
  check_same([&](auto& layer, const Var& x, const Var&) { return layer(x, mask); },
             [&](auto& layer, const Var& x, const Var&) { return layer(x, x, mask); });
}

TEST_CASE("multi-head attention: naive and fused agree as causal decoder self-attention") {
  const AttentionMask mask{{}, true};
  check_same([&](auto& layer, const Var& x, const Var&) { return layer(x, mask); },
             [&](auto& layer, const Var& x, const Var&) { return layer(x, x, mask); });
}

TEST_CASE("multi-head attention: naive and fused agree as attention from decoder to encoder") {
  const AttentionMask mask{Indices({2}, {5, 3})};
  check_same([&](auto& layer, const Var& x, const Var& memory) { return layer(x, memory, mask); },
             [&](auto& layer, const Var& x, const Var& memory) { return layer(x, memory, mask); });
}

TEST_CASE("multi-head attention: naive and fused agree under a local window") {
  const AttentionMask mask{{}, false, 1};
  check_same([&](auto& layer, const Var& x, const Var&) { return layer(x, mask); },
             [&](auto& layer, const Var& x, const Var&) { return layer(x, x, mask); });
}

TEST_CASE("naive multi-head attention: takes any score, and heads of their own sizes") {
  for (const std::string& name : score_names()) {
    INFO(name);
    const MultiHeadNaive attention({6, 2, 5, 3}, name, 0, Random(1));
    CHECK(attention(random_tensor({2, 4, 6}, 1), random_tensor({2, 7, 6}, 2)).shape() == Shape{2, 4, 6});
  }
}

TEST_CASE("multi-head attention: sizes that do not fit are refused") {
  CHECK_THROWS_WITH(MultiHeadNaive({6, 0, 5, 3}, "dot", 0, Random(1)),
                    "multi-head attention: all sizes must be positive: width is 6, heads 0, key_width 5, "
                    "value_width 3");
  CHECK_THROWS_AS(MultiHeadNaive({6, 2, 5, 3}, "unknown", 0, Random(1)), std::invalid_argument);
  CHECK_THROWS_WITH(MultiHeadAttention(6, 4, 0, Random(1)),
                    "multi-head attention: the heads must divide the width: 4 heads, width 6");
}
