// The local window, and biases by distance: the fused operation against whole tables of scores.
#include <gradual/core/memory.hpp>
#include <gradual/core/products/products.hpp>

#include "nn/attention/reference_attention.hpp"
#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

constexpr Index H = 2, head_columns = 3;

struct Case {
  Index queries, keys;
  AttentionMask mask;
  bool biased = false;
};

// Values and gradients of the output, q, k, v and the bias.
template <class Attend>
std::vector<Tensor> run(const Case& c, Attend attend) {
  const Var q = Var::parameter(random_tensor({2, c.queries, H * head_columns}, 1, -2, 2)),
            k = Var::parameter(random_tensor({2, c.keys, H * head_columns}, 2, -2, 2)),
            v = Var::parameter(random_tensor({2, c.keys, H * head_columns}, 3));
  const Var bias = c.biased ? Var::parameter(random_tensor({H, c.queries + c.keys - 1}, 4)) : Var();
  const Var y = attend(q, k, v, bias);
  backward(sum(y * Var(random_tensor(y.shape(), 5))));
  std::vector<Tensor> results{y.value(), q.grad(), k.grad(), v.grad()};
  if (c.biased) results.push_back(bias.grad());
  return results;
}

void check(const Case& c) {
  INFO(c.queries << " queries, " << c.keys << " keys, window " << c.mask.window << ", causal "
                 << c.mask.causal << ", lengths " << c.mask.valid_lengths.shape() << ", bias " << c.biased);
  const auto fused = run(c, [&](const Var& q, const Var& k, const Var& v, const Var& bias) {
    AttentionOptions options;
    options.mask = c.mask;
    options.bias = bias;
    return attention({q}, {k}, {v}, H, head_columns, head_columns, options);
  });
  const auto whole = run(c, [&](const Var& q, const Var& k, const Var& v, const Var& bias) {
    return reference_attention(q, k, v, H, c.mask, bias);
  });
  for (std::size_t i = 0; i < fused.size(); ++i) {
    INFO("output, gradients of q, k, v and the bias: number " << i);
    CHECK(difference(fused[i], whole[i]) == "");
  }
}

// What one forward and backward pass over n places costs.
struct Cost {
  std::int64_t flops, bytes;
};
Cost cost(Index n, Index window) {
  AttentionOptions options;
  options.mask.window = window;
  const Var x = Var::parameter(random_tensor({1, n, 8}, 1));
  release_unused_memory();
  reset_peak_memory();
  const std::int64_t flops_before = flop_count(), bytes_before = memory_statistics().bytes_in_use;
  backward(sum(attention({x}, {x}, {x}, 1, 8, 8, options)));
  return {flop_count() - flops_before, memory_statistics().peak_bytes - bytes_before};
}

}  // namespace

// Up to 128 keys the weights are kept; 200 and more go in blocks of 64 queries.
TEST_CASE("window attention: equals full attention under a band mask, values and gradients") {
  for (const Index n : {1, 5, 64, 100, 200, 333}) {
    for (const Index window : {1, 3, 40, 64, 500}) {
      for (const bool causal : {false, true}) check({n, n, {{}, causal, window}});
    }
  }
}

TEST_CASE("window attention: padding within and beyond the window") {
  for (const Index n : {20, 200}) {
    const auto length = static_cast<std::int32_t>(n);
    check({n, n, {Indices({2}, {length, length / 3}), false, 4}});
    check({n, n, {Indices({2}, {0, length / 2}), true, 7}});
  }
}

TEST_CASE("window attention: queries at the end of the keys, as in writing word by word") {
  check({1, 40, {{}, true, 5}});
  check({3, 150, {{}, true, 5}});
}

TEST_CASE("attention: a bias by distance equals the same bias added to whole tables of scores") {
  check({7, 7, {}, true});
  check({5, 9, {}, true});
  check({6, 6, {Indices({2}, {6, 2}), true, 0}, true});
  check({1, 9, {{}, true, 0}, true});
  check({200, 200, {{}, true, 0}, true});
  check({200, 200, {Indices({2}, {150, 200}), false, 9}, true});
}

TEST_CASE(
    "window attention: work and memory double when the sequence does, for full attention the work "
    "quadruples") {
  const Cost near_n = cost(1024, 16), near_2n = cost(2048, 16);
  const double work = static_cast<double>(near_2n.flops) / static_cast<double>(near_n.flops);
  const double memory = static_cast<double>(near_2n.bytes) / static_cast<double>(near_n.bytes);
  CHECK(work > 1.9);
  CHECK(work < 2.1);
  CHECK(memory < 2.2);
  const double full = static_cast<double>(cost(2048, 0).flops) / static_cast<double>(cost(1024, 0).flops);
  CHECK(full > 3.9);
}

TEST_CASE("window attention: dropout drops the same weights forward and backward") {
  const Index n = 200;
  AttentionOptions options;
  options.mask.window = 3;
  options.dropout = DropoutMask(0.5, 11);
  Tensor weights;
  options.weights = &weights;
  const Var q = random_tensor({1, n, 4}, 1), v = Var::parameter(random_tensor({1, n, 4}, 2));
  const Var y = attention({q}, {q}, {v}, 1, 4, 4, options);
  const Tensor seed = random_tensor({1, n, 4}, 3);
  backward(y, seed);
  const Tensor dropped = apply_dropout(weights, options.dropout).with_shape({1, n, n});
  CHECK(difference(y.value(), matmul(dropped, v.value())) == "");
  CHECK(difference(v.grad(), matmul(dropped, seed, {true, false})) == "");

  options.weights = nullptr;  // in blocks, without keeping the weights
  const Var u = Var::parameter(v.value());
  const Var blocks = attention({q}, {q}, {u}, 1, 4, 4, options);
  backward(blocks, seed);
  CHECK(difference(blocks.value(), y.value()) == "");
  CHECK(difference(u.grad(), v.grad()) == "");
}

TEST_CASE("attention: a bias of another shape and a negative window are refused") {
  const Var x = random_tensor({1, 5, 6}, 1);
  AttentionOptions options;
  options.bias = random_tensor({2, 8}, 2);
  CHECK_THROWS_WITH(
      attention({x}, {x}, {x}, 2, 3, 3, options),
      "attention: the bias must have a number for each head and distance, [H, T + S - 1]: expected "
      "[2, 9], got [2, 8]");
  AttentionOptions negative;
  negative.mask.window = -3;
  CHECK_THROWS_WITH(attention({x}, {x}, {x}, 2, 3, 3, negative),
                    "attention: the window must not be negative: got -3");
}
