// Attention against triple loops in double: every mask, kept and recomputed weights, forward and backward.
#include <gradual/core/attention/attention.hpp>

#include <cmath>
#include <limits>

#include <gradual/core/attention/score_block.hpp>

#include "core/attention/views.hpp"
#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;
using Doubles = std::vector<double>;

namespace {

constexpr double tolerance = 2 * rounding_tolerance;

// One attention: random queries, keys, values and output gradients, each as columns of a wider table.
struct Problem {
  AttentionSizes sizes;
  AttentionSettings settings;
  Tensor q, k, v, d_out;
  Index margin = 3;  // columns of each table that belong to something else

  Problem(const AttentionSizes& s, const AttentionMask& mask, DropoutMask dropout = {}) : sizes(s) {
    settings = {mask, Real(0.4), dropout, {}};
    q = random_tensor({s.batch, s.queries, s.heads * s.key_width + margin}, 1, -2, 2);
    k = random_tensor({s.batch, s.keys, s.heads * s.key_width + margin}, 2, -2, 2);
    v = random_tensor({s.batch, s.keys, s.heads * s.value_width + margin}, 3);
    d_out = random_tensor({s.batch, s.queries, s.heads * s.value_width + margin}, 4);
  }

  Problem& with_bias() {
    settings.bias = random_tensor({sizes.heads, sizes.queries + sizes.keys - 1}, 5);
    return *this;
  }

  bool sees(Index batch, Index query, Index key) const {
    const Index place = query + sizes.keys - sizes.queries;
    const AttentionMask& mask = settings.mask;
    if (mask.causal && key > place) return false;
    if (mask.window > 0 && std::abs(key - place) > mask.window) return false;
    const Indices& valid = mask.valid_lengths;
    if (valid.size() == 0) return true;
    return key < (valid.shape().rank() == 1 ? valid[batch] : valid[batch * sizes.queries + query]);
  }
};

struct Results {
  Tensor out, weights, dq, dk, dv, d_bias;
};

Results fast(const Problem& p, bool all_weights) {
  Results r{Tensor::zeros(p.d_out.shape()), {}, Tensor::zeros(p.q.shape()), Tensor::zeros(p.k.shape()),
            Tensor::zeros(p.v.shape()),     {}};
  const AttentionMemory memory =
      attention_forward(p.sizes, p.settings, view(p.q), view(p.k), view(p.v), writable(r.out), all_weights);
  r.weights = memory.weights;
  r.d_bias = attention_backward(p.sizes, p.settings, memory, view(p.q), view(p.k), view(p.v), view(p.d_out),
                                writable(r.dq), writable(r.dk), writable(r.dv), p.settings.bias.defined());
  return r;
}

Results naive(const Problem& p) {
  const auto [B, H, T, S, dk, dv] = p.sizes;
  const auto scale = static_cast<double>(p.settings.scale);
  Doubles out(static_cast<std::size_t>(p.d_out.size())), dq(static_cast<std::size_t>(p.q.size())),
      d_keys(static_cast<std::size_t>(p.k.size())), d_values(static_cast<std::size_t>(p.v.size())),
      weights(static_cast<std::size_t>(B * H * T * S)), d_bias(static_cast<std::size_t>(H * (T + S - 1)));
  // Where row n of batch b has column i of head h.
  const auto at = [](const Tensor& x, Index b, Index n, Index h, Index width, Index i) {
    return static_cast<std::size_t>((b * x.dim(1) + n) * x.dim(2) + h * width + i);
  };
  const auto value = [&](const Tensor& x, Index b, Index n, Index h, Index width, Index i) {
    return static_cast<double>(x.data()[at(x, b, n, h, width, i)]);
  };
  for (Index b = 0; b < B; ++b) {
    for (Index h = 0; h < H; ++h) {
      for (Index t = 0; t < T; ++t) {
        const Index row = ((b * H + h) * T + t) * S;
        Doubles w(static_cast<std::size_t>(S)), dw(static_cast<std::size_t>(S));
        double total = 0, dot = 0;
        for (Index s = 0; s < S; ++s) {
          if (!p.sees(b, t, s)) continue;
          double score = 0;
          for (Index i = 0; i < dk; ++i) score += value(p.q, b, t, h, dk, i) * value(p.k, b, s, h, dk, i);
          score *= scale;
          if (p.settings.bias.defined()) score += static_cast<double>(p.settings.bias({h, s - t + T - 1}));
          total += w[static_cast<std::size_t>(s)] = std::exp(score);
        }
        for (Index s = 0; s < S; ++s) {
          double& weight = w[static_cast<std::size_t>(s)];
          if (total > 0) weight /= total;
          weights[static_cast<std::size_t>(row + s)] = weight;
          const auto mask = static_cast<double>(p.settings.dropout(row + s));
          for (Index i = 0; i < dv; ++i) {
            const double upstream = value(p.d_out, b, t, h, dv, i);
            out[at(p.d_out, b, t, h, dv, i)] += weight * mask * value(p.v, b, s, h, dv, i);
            d_values[at(p.v, b, s, h, dv, i)] += weight * mask * upstream;
            dw[static_cast<std::size_t>(s)] += mask * upstream * value(p.v, b, s, h, dv, i);
          }
          dot += weight * dw[static_cast<std::size_t>(s)];
        }
        for (Index s = 0; s < S; ++s) {
          const double ds = w[static_cast<std::size_t>(s)] * (dw[static_cast<std::size_t>(s)] - dot);
          d_bias[static_cast<std::size_t>(h * (T + S - 1) + s - t + T - 1)] += ds;
          for (Index i = 0; i < dk; ++i) {
            dq[at(p.q, b, t, h, dk, i)] += scale * ds * value(p.k, b, s, h, dk, i);
            d_keys[at(p.k, b, s, h, dk, i)] += scale * ds * value(p.q, b, t, h, dk, i);
          }
        }
      }
    }
  }
  const auto tensor = [](const Shape& shape, const Doubles& x) {
    return Tensor(shape, std::vector<Real>(x.begin(), x.end()));
  };
  return {tensor(p.d_out.shape(), out), tensor({B, H, T, S}, weights), tensor(p.q.shape(), dq),
          tensor(p.k.shape(), d_keys),  tensor(p.v.shape(), d_values), tensor({H, T + S - 1}, d_bias)};
}

void check_results(const Results& ours, const Results& expected) {
  CHECK(difference(ours.out, expected.out, tolerance) == "");
  CHECK(difference(ours.dq, expected.dq, tolerance) == "");
  CHECK(difference(ours.dk, expected.dk, tolerance) == "");
  CHECK(difference(ours.dv, expected.dv, tolerance) == "");
  if (ours.weights.defined()) CHECK(difference(ours.weights, expected.weights, tolerance) == "");
  if (ours.d_bias.defined()) CHECK(difference(ours.d_bias, expected.d_bias, tolerance) == "");
}

// Both ways through the kernel: with the weights kept and, beyond 128 keys, with the weights computed again.
void check_attention(const Problem& problem) {
  const Results expected = naive(problem);
  for (const bool all_weights : {true, false}) {
    INFO((all_weights ? "weights kept" : "weights as the kernel likes"));
    const Results ours = fast(problem, all_weights);
    CHECK(ours.weights.defined() == (all_weights || problem.sizes.keys <= 128));
    check_results(ours, expected);
  }
}

AttentionMask mask_of(Indices lengths, bool causal, Index window = 0) {
  return {std::move(lengths), causal, window};
}

Indices random_lengths(const Shape& shape, Index most, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::int32_t> lengths(static_cast<std::size_t>(shape.size()));
  for (auto& length : lengths) length = static_cast<std::int32_t>(random.below(most + 1));
  lengths[0] = 0;  // a sentence, or a query, without any key
  return {shape, lengths};
}

const AttentionSizes small{2, 3, 5, 7, 4, 6}, square{2, 2, 9, 9, 4, 4}, large{2, 2, 150, 150, 4, 3},
    long_keys{3, 1, 70, 200, 5, 4};

}  // namespace

TEST_CASE("attention: without a mask") {
  for (const auto& sizes : {small, square, large, long_keys, AttentionSizes{1, 1, 1, 1, 1, 1}})
    check_attention(Problem(sizes, {}));
}

TEST_CASE("attention: causal, with as many keys as queries, with more, and with fewer") {
  for (const auto& sizes : {small, square, large, long_keys, AttentionSizes{2, 2, 9, 4, 3, 3},
                            AttentionSizes{1, 1, 200, 150, 3, 3}})
    check_attention(Problem(sizes, mask_of({}, true)));
}

TEST_CASE("attention: valid lengths of sentences, zero among them, with and without the causal mask") {
  for (const auto& sizes : {small, square, large, long_keys})
    for (const bool causal : {false, true})
      check_attention(Problem(sizes, mask_of(random_lengths({sizes.batch}, sizes.keys, 1), causal)));
}

TEST_CASE("attention: valid lengths of queries, zero among them, with and without the causal mask") {
  for (const auto& sizes : {small, square, large, long_keys})
    for (const bool causal : {false, true})
      check_attention(
          Problem(sizes, mask_of(random_lengths({sizes.batch, sizes.queries}, sizes.keys, 1), causal)));
}

TEST_CASE("attention: a local window, alone and with the other masks") {
  for (const auto& sizes : {small, square, large, long_keys}) {
    for (const Index window : {1, 10, 1000}) {
      check_attention(Problem(sizes, mask_of({}, false, window)));
      check_attention(Problem(sizes, mask_of(random_lengths({sizes.batch}, sizes.keys, 2), true, window)));
    }
  }
}

TEST_CASE("attention: a local window with one valid length for each query, zero among them") {
  for (const auto& sizes : {small, square, large, long_keys, AttentionSizes{1, 2, 300, 300, 4, 3}}) {
    for (const Index window : {1, 10, 100}) {
      for (const bool causal : {false, true}) {
        const Indices lengths = random_lengths({sizes.batch, sizes.queries}, sizes.keys, 4);
        check_attention(Problem(sizes, mask_of(lengths, causal, window)));
        check_attention(Problem(sizes, mask_of(lengths, causal, window), DropoutMask(0.2, 9)).with_bias());
      }
    }
  }
}

TEST_CASE("attention: a window near the largest number hides nothing") {
  const Index largest = std::numeric_limits<Index>::max();
  for (const auto& sizes : {small, square, large, long_keys})
    for (const Index window : {largest, largest - 1, largest / 2, largest / 2 - 100})
      check_attention(Problem(sizes, mask_of({}, true, window)));
}

TEST_CASE("attention: a bias by distance, and its gradient") {
  for (const auto& sizes : {small, square, large, long_keys}) {
    check_attention(Problem(sizes, {}).with_bias());
    check_attention(
        Problem(sizes, mask_of(random_lengths({sizes.batch}, sizes.keys, 3), true, 20)).with_bias());
  }
}

TEST_CASE("attention: dropout of the weights, the same in both directions and both ways") {
  for (const auto& sizes : {small, large, long_keys})
    for (const bool causal : {false, true})
      check_attention(Problem(sizes, mask_of({}, causal), DropoutMask(0.3, 77)));
}

TEST_CASE("attention: a query without a key gives zeros, and a gradient of zeros") {
  const Problem problem(small, mask_of(Indices({2}, {0, 3}), false));
  const Results ours = fast(problem, false);
  const auto is_zero = [](const Tensor& x) { return same_bits(x, Tensor::zeros(x.shape())); };
  CHECK(is_zero(ours.out.rows(0, 1)));
  CHECK(is_zero(ours.weights.rows(0, 1)));
  CHECK(difference(ours.dq.rows(0, 1), Tensor::zeros(ours.dq.rows(0, 1).shape())) == "");
  CHECK(is_zero(ours.dk.rows(0, 1)));
  CHECK(is_zero(ours.dv.rows(0, 1)));
  CHECK_FALSE(is_zero(ours.out.rows(1, 2)));
}

TEST_CASE("attention: a head that a bias of -∞ closes gives zeros, and a gradient of zeros") {
  for (const auto& sizes : {small, long_keys}) {
    Problem problem(sizes, {});
    problem.settings.bias =
        Tensor::full({sizes.heads, sizes.queries + sizes.keys - 1}, -std::numeric_limits<Real>::infinity());
    const Results ours = fast(problem, false);
    for (const Tensor& x : {ours.out, ours.dq, ours.dk, ours.dv, ours.d_bias})
      for (const Real number : x) CHECK(number == 0);
  }
}

TEST_CASE("attention: averages of values near the largest number are finite, with few keys and with many") {
  constexpr Real huge = std::numeric_limits<Real>::max() / 8;
  for (const auto& sizes : {small, long_keys})
    for (const DropoutMask& dropout : {DropoutMask(), DropoutMask(0.5, 3)}) {
      Problem problem(sizes, {}, dropout);
      problem.v = Tensor::full(problem.v.shape(), huge);
      const Tensor out = fast(problem, false).out;
      Problem ones = problem;
      ones.v = Tensor::ones(problem.v.shape());
      const Tensor shares = fast(ones, false).out;
      for (Index i = 0; i < out.size(); ++i)
        CHECK(out.data()[i] / huge == Approx(shares.data()[i]).epsilon(1e-5).margin(1e-30));
      if (!dropout.active()) CHECK(shares({0, 0, 0}) == Approx(1).epsilon(1e-5));
    }
}

TEST_CASE("attention: weights that are computed again sum to 1 however large scores are, and to the mask") {
  for (const Real score : {Real(0), Real(1e4), Real(1e6)})
    for (const DropoutMask& mask : {DropoutMask(), DropoutMask(0.5, 3)}) {
      Problem problem({1, 1, 1, 129, 1, 1}, {}, mask);
      problem.settings.scale = 1;
      problem.q = Tensor::ones(problem.q.shape());
      problem.k = Tensor::full(problem.k.shape(), score);  // equal weights of 1/129
      problem.v = Tensor::ones(problem.v.shape());
      problem.d_out = Tensor::ones(problem.d_out.shape());
      const Results ours = fast(problem, false);
      double used = 0, values = 0;
      for (Index j = 0; j < 129; ++j) used += static_cast<double>(mask(j)) / 129;
      for (const Real d : ours.dv) values += static_cast<double>(d);
      INFO("scores of " << score << (mask.active() ? ", dropout" : ""));
      CHECK(values == Approx(used).epsilon(1e-5));
      // Keys that are all the same change nothing, whatever the query is.
      CHECK(std::abs(ours.dq({0, 0, 0})) <= score * Real(1e-6));
    }
}

TEST_CASE("attention: a weight is dropped by its number, beyond 2^32 too") {
  const DropoutMask mask(0.5, 9);
  for (const Index first : {Index(0), Index(1) << 32, Index(3) << 32}) {
    const auto row = BlockDropout{mask, first, 100}.row(2, 7);
    for (Index i = 0; i < 90; ++i) CHECK(row(i) == mask(first + 207 + i));
  }
}

TEST_CASE("attention: of many keys each query's largest score and 1/Σ are kept, 0 where it sees none") {
  const auto [B, H, T, S, dk, dv] = long_keys;
  Problem problem(long_keys, mask_of(Indices({B}, {200, 150, 0}), true));
  problem.q = Tensor::zeros(problem.q.shape());
  problem.settings.bias = Tensor::full({H, T + S - 1}, 3);  // every score, and the sum the number of keys
  Tensor out = Tensor::zeros(problem.d_out.shape());
  const AttentionMemory memory = attention_forward(problem.sizes, problem.settings, view(problem.q),
                                                   view(problem.k), view(problem.v), writable(out), false);
  REQUIRE(memory.totals.shape() == Shape{B, H, T, 2});
  for (Index t = 0; t < T; ++t) {
    const Index place = t + S - T;
    CHECK(memory.totals({0, 0, t, 0}) == 3);
    CHECK(memory.totals({0, 0, t, 1}) == Approx(1 / double(place + 1)));
    CHECK(memory.totals({1, 0, t, 1}) == Approx(1 / double(std::min<Index>(place + 1, 150))));
    CHECK(memory.totals({2, 0, t, 1}) == 0);
  }
}

TEST_CASE("attention: keys beyond the valid length may hold anything") {
  for (const auto& sizes : {small, long_keys})
    for (const bool causal : {false, true}) {
      INFO(sizes.keys << " keys" << (causal ? ", causal" : ""));
      const Index valid = sizes.keys - 4;
      std::vector<std::int32_t> lengths(static_cast<std::size_t>(sizes.batch),
                                        static_cast<std::int32_t>(sizes.keys));
      lengths[1] = static_cast<std::int32_t>(valid);
      Problem problem(sizes, mask_of(Indices({sizes.batch}, lengths), causal));
      const Results before = fast(problem, false);
      for (Tensor* x : {&problem.k, &problem.v}) {
        Real* numbers = x->mutable_data() + (sizes.keys + valid) * x->dim(2);  // of the second sentence
        std::fill(numbers, numbers + 4 * x->dim(2), std::nan(""));
      }
      const Results after = fast(problem, false);
      CHECK(same_bits(after.out, before.out));
      CHECK(same_bits(after.dq, before.dq));
      CHECK(same_bits(after.dk, before.dk));
      CHECK(same_bits(after.dv, before.dv));
    }
}

TEST_CASE("attention: no queries, no keys, or no sentences") {
  check_attention(Problem({2, 2, 0, 3, 4, 4}, {}));
  check_attention(Problem({0, 2, 3, 3, 4, 4}, {}));
  const Results no_keys = fast(Problem({2, 2, 3, 0, 4, 4}, {}), false);
  CHECK(same_bits(no_keys.out, Tensor::zeros(no_keys.out.shape())));
}

TEST_CASE("attention: the keys that a mask shows each query") {
  const auto range = [](const AttentionMask& mask, Index query) {
    const KeyRange keys = visible_places(mask, query, 4, 6);
    return std::make_pair(keys.first, keys.last);
  };
  CHECK(range({}, 0) == std::make_pair<Index, Index>(0, 6));
  CHECK(range(mask_of({}, true), 0) == std::make_pair<Index, Index>(0, 3));
  CHECK(range(mask_of({}, true), 3) == std::make_pair<Index, Index>(0, 6));
  CHECK(range(mask_of({}, false, 1), 0) == std::make_pair<Index, Index>(1, 4));
  CHECK(range(mask_of({}, true, 1), 0) == std::make_pair<Index, Index>(1, 3));
  CHECK(range(mask_of({}, true, std::numeric_limits<Index>::max()), 3) == std::make_pair<Index, Index>(0, 6));
  CHECK_THROWS_WITH(range({}, 4),
                    "attention: a query must be one of T before S >= 0 keys: query is 4, T is 4, S is 6");
  CHECK_THROWS_AS(range({}, -1), std::invalid_argument);
  CHECK_THROWS_AS(visible_places({}, 0, 1, -1), std::invalid_argument);
}

TEST_CASE("attention: masks that do not fit are refused") {
  const auto check = [](const AttentionMask& mask) { check_attention_mask(mask, small); };
  CHECK_NOTHROW(check({}));
  CHECK_NOTHROW(check(mask_of(Indices({2}, {0, 7}), true)));
  CHECK_THROWS_AS(check(mask_of(Indices({3}, {1, 1, 1}), false)), std::invalid_argument);
  CHECK_THROWS_WITH(check(mask_of(Indices({3}, {1, 1, 1}), false)),
                    "attention: valid lengths must be [B] or [B, T]: B is 2, T is 5, valid lengths are [3]");
  CHECK_THROWS_WITH(check(mask_of(Indices({2}, {1, 8}), false)),
                    "attention: valid lengths must lie in 0 … number of keys: got 8 of 7 keys");
  CHECK_THROWS_WITH(check(mask_of(Indices({2}, {-1, 1}), false)),
                    "attention: valid lengths must lie in 0 … number of keys: got -1 of 7 keys");
  CHECK_THROWS_WITH(check(mask_of({}, false, -1)), "attention: the window must not be negative: got -1");
}

TEST_CASE("attention: sizes and biases that do not fit are refused, forward and backward") {
  const auto refused = [](AttentionSizes sizes, const Tensor& bias, const std::string& message) {
    Problem problem(small, {});
    problem.sizes = sizes;
    problem.settings.bias = bias;
    Tensor out(problem.d_out.shape());
    CHECK_THROWS_WITH(attention_forward(sizes, problem.settings, view(problem.q), view(problem.k),
                                        view(problem.v), {out.mutable_data(), out.dim(2)}, false),
                      "attention: " + message);
    CHECK_THROWS_WITH(attention_backward(sizes, problem.settings, {}, view(problem.q), view(problem.k),
                                         view(problem.v), view(problem.d_out), {}, {}, {}, false),
                      "attention: " + message);
  };
  refused({2, 3, -5, 7, 4, 6}, {}, "sizes must not be negative: got -5");
  refused({2, 3, 5, 7, -4, 6}, {}, "sizes must not be negative: got -4");
  refused(small, Tensor::zeros({3, 12}),
          "the bias must have a number for each head and distance, [H, T + S - 1]: expected [3, 11], got [3, "
          "12]");
}

TEST_CASE("attention: the bits are the same for 1, 2 and 4 threads") {
  for (const bool all_weights : {true, false}) {
    check_same_bits_for_any_thread_count([&] {
      Problem problem({3, 4, 140, 140, 16, 16}, mask_of(Indices({3}, {140, 77, 5}), true),
                      DropoutMask(0.1, 3));
      const Results r = fast(problem.with_bias(), all_weights);
      return std::vector<Tensor>{r.out, r.dq, r.dk, r.dv, r.d_bias};
    });
  }
}
