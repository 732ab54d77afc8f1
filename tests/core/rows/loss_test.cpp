// Cross-entropy against its definition, in double.
#include <gradual/core/rows/loss.hpp>

#include <array>
#include <cmath>
#include <limits>

#include <gradual/core/products/products.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

struct Expected {
  double loss;
  Index counted;
  Tensor gradient;
};

// -Σ_j q_j·log p_j, row by row.
Expected naive_cross_entropy(const Tensor& logits, const Indices& targets,
                             const CrossEntropyOptions& options) {
  const Index classes = logits.dim(-1);
  Expected result{0, 0, Tensor::zeros(logits.shape())};
  for (std::int32_t target : targets) result.counted += target != options.ignored;
  for (Index r = 0; r < targets.size(); ++r) {
    if (targets[r] == options.ignored) continue;
    const Real* row = logits.data() + r * classes;
    double total = 0;
    for (Index j = 0; j < classes; ++j) total += std::exp(static_cast<double>(row[j]));
    for (Index j = 0; j < classes; ++j) {
      const double p = std::exp(static_cast<double>(row[j])) / total;
      const double q = (1 - options.label_smoothing) * (j == targets[r]) +
                       options.label_smoothing / static_cast<double>(classes);
      result.loss -= q * std::log(p) / static_cast<double>(result.counted);
      result.gradient.mutable_data()[r * classes + j] =
          static_cast<Real>((p - q) / static_cast<double>(result.counted));
    }
  }
  return result;
}

Indices random_targets(const Shape& shape, Index classes, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::int32_t> targets(static_cast<std::size_t>(shape.size()));
  for (auto& target : targets) target = static_cast<std::int32_t>(random.below(classes));
  return {shape, targets};
}

CrossEntropyOptions options_with(std::int32_t ignored, double smoothing) {
  CrossEntropyOptions options;
  options.ignored = ignored;
  options.label_smoothing = smoothing;
  return options;
}

// The mean over counted pairs of rows of ½·(KL(p ‖ p') + KL(p' ‖ p)), as the two divergences are written.
double naive_consistency(const Tensor& logits, const Indices& targets, std::int32_t ignored) {
  const Index classes = logits.dim(-1), half = targets.size() / 2;
  const auto share = [&](Index r, Index j) {
    double total = 0;
    for (Index k = 0; k < classes; ++k)
      total += std::exp(static_cast<double>(logits.data()[r * classes + k]));
    return std::exp(static_cast<double>(logits.data()[r * classes + j])) / total;
  };
  double sum = 0, counted = 0;
  for (Index r = 0; r < half; ++r) {
    if (targets[r] == ignored) continue;
    ++counted;
    for (Index j = 0; j < classes; ++j) {
      const double p = share(r, j), q = share(half + r, j);
      sum += (p * std::log(p / q) + q * std::log(q / p)) / 2;
    }
  }
  return counted == 0 ? 0 : sum / counted;
}

// The same targets for one pass and the other.
Indices twice(const Indices& targets) {
  std::vector<std::int32_t> all(targets.begin(), targets.end());
  all.insert(all.end(), targets.begin(), targets.end());
  return {Shape{static_cast<Index>(all.size())}, all};
}

CrossEntropyOptions consistent(double weight, double smoothing = 0, std::int32_t ignored = -1) {
  CrossEntropyOptions options = options_with(ignored, smoothing);
  options.consistency = weight;
  return options;
}

}  // namespace

TEST_CASE("cross-entropy: loss and gradient equal the definition, with smoothing and ignored targets") {
  const Tensor logits = random_tensor({4, 6, 11}, 1, -4, 4);
  const Indices targets = random_targets({4, 6}, 11, 2);
  for (const double smoothing : {0.0, 0.1, 0.9}) {
    for (const std::int32_t ignored : {-1, 3}) {
      const auto options = options_with(ignored, smoothing);
      const Expected expected = naive_cross_entropy(logits, targets, options);
      const LossGradients ours = cross_entropy(logits, targets, options, true);
      CHECK(ours.loss == Approx(expected.loss).epsilon(1e-6));
      CHECK(ours.counted == expected.counted);
      CHECK(difference(ours.inputs, expected.gradient) == "");
      const LossGradients loss_only = cross_entropy(logits, targets, options, false);
      CHECK(loss_only.loss == ours.loss);
      CHECK_FALSE(loss_only.inputs.defined());
    }
  }
}

TEST_CASE("cross-entropy: equal logits cost log V, whatever the target and smoothing") {
  const Tensor logits = Tensor::full({2, 8}, 3);
  CHECK(cross_entropy(logits, Indices({2}, {0, 7}), options_with(-1, 0), false).loss ==
        Approx(std::log(8.0)));
  CHECK(cross_entropy(logits, Indices({2}, {0, 7}), options_with(-1, 0.3), false).loss ==
        Approx(std::log(8.0)));
}

TEST_CASE("cross-entropy: leaves the logits as they are") {
  const Tensor logits({1, 2}, {1, 2});
  cross_entropy(logits, Indices({1}, {0}), {}, true);
  CHECK(logits.to_vector() == std::vector<Real>{1, 2});
}

TEST_CASE("cross-entropy: a gradient sums to 0 in each row, and is 0 in ignored rows") {
  const Tensor logits = random_tensor({3, 5}, 1);
  const Tensor gradient = cross_entropy(logits, Indices({3}, {2, 0, 4}), options_with(0, 0.1), true).inputs;
  for (Index r = 0; r < 3; ++r) {
    double total = 0, size = 0;
    for (Index j = 0; j < 5; ++j) {
      total += static_cast<double>(gradient({r, j}));
      size += std::abs(static_cast<double>(gradient({r, j})));
    }
    CHECK(std::abs(total) < 1e-6);
    CHECK((size == 0) == (r == 1));
  }
}

TEST_CASE("cross-entropy: when every target is ignored, loss and gradient are 0") {
  const LossGradients result =
      cross_entropy(Tensor::ones({2, 3}), Indices({2}, {1, 1}), options_with(1, 0.1), true);
  CHECK(result.loss == 0);
  CHECK(result.counted == 0);
  CHECK(same_bits(result.inputs, Tensor::zeros({2, 3})));
}

TEST_CASE("cross-entropy: large logits neither overflow nor lose the loss") {
  const Tensor logits({2, 2}, {1000, 0, -1000, 0});
  const LossGradients result = cross_entropy(logits, Indices({2}, {0, 0}), {}, true);
  CHECK(result.loss == Approx(500));
  CHECK(result.inputs.to_vector() == std::vector<Real>{0, 0, -0.5, 0.5});
}

TEST_CASE("cross-entropy: classes that are ruled out by -∞ cost nothing without smoothing") {
  const LossGradients result = cross_entropy(Tensor({1, 3}, {0, -infinity, 0}), Indices({1}, {2}), {}, true);
  CHECK(result.loss == Approx(std::log(2.0)));
  CHECK(result.inputs.to_vector() == std::vector<Real>{0.5, 0, -0.5});
}

TEST_CASE("cross-entropy: logits that are not numbers give a loss that is none") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  CHECK(std::isnan(cross_entropy(Tensor({1, 2}, {0, nan}), Indices({1}, {0}), {}, false).loss));
}

TEST_CASE("cross-entropy: what does not fit is refused") {
  const Tensor logits = Tensor::ones({2, 3});
  const auto loss = [&](const Indices& targets, double smoothing) {
    return cross_entropy(logits, targets, options_with(-1, smoothing), false).loss;
  };
  CHECK_THROWS_WITH(loss(Indices({3}, {0, 0, 0}), 0),
                    "cross_entropy: there must be one target for each row: rows are [2], targets are [3]");
  CHECK_THROWS_WITH(loss(Indices({2}, {0, 3}), 0), "cross_entropy: targets must lie in 0 … 2: got 3");
  CHECK_THROWS_WITH(loss(Indices({2}, {0, -2}), 0), "cross_entropy: targets must lie in 0 … 2: got -2");
  CHECK_THROWS_WITH(loss(Indices({2}, {0, 0}), 1),
                    "cross_entropy: label smoothing must lie in [0, 1): got 1");
  CHECK_THROWS_WITH(cross_entropy(Tensor::scalar(1), Indices({}, {0}), {}, false),
                    "cross_entropy: logits must be [..., V] with at least one class: they are []");
  CHECK_THROWS_WITH(cross_entropy(Tensor({2, 0}), Indices({2}, {0, 0}), {}, false),
                    "cross_entropy: logits must be [..., V] with at least one class: they are [2, 0]");
}

TEST_CASE("linear cross-entropy: equals cross-entropy of the product, forward and backward") {
  // 300 rows of 20,000 classes are worked on in three blocks.
  for (const auto& [rows, width, classes] :
       std::vector<std::array<Index, 3>>{{6, 5, 11}, {300, 8, 20000}, {1, 1, 1}}) {
    const Tensor x = random_tensor({rows, width}, 1), weight = random_tensor({classes, width}, 2);
    const Indices targets = random_targets({rows}, classes, 3);
    const auto options = options_with(classes > 1 ? targets[0] : -1, 0.1);
    INFO(rows << " rows of " << classes << " classes");
    const LossGradients ours = linear_cross_entropy(x, weight, targets, options, true);
    const LossGradients whole = cross_entropy(linear(x, weight, Tensor()), targets, options, true);
    CHECK(ours.loss == Approx(whole.loss).epsilon(1e-6));
    CHECK(ours.counted == whole.counted);
    const double tolerance = 10 * rounding_tolerance;
    CHECK(difference(ours.inputs, matmul(whole.inputs, weight), tolerance) == "");
    CHECK(difference(ours.weight, matmul(whole.inputs, x, {true, false}), tolerance) == "");
    const LossGradients loss_only = linear_cross_entropy(x, weight, targets, options, false);
    CHECK(loss_only.loss == ours.loss);
    CHECK_FALSE(loss_only.weight.defined());
  }
}

TEST_CASE("linear cross-entropy: batches of sequences, and no rows at all") {
  const Tensor x = random_tensor({2, 3, 4}, 1), weight = random_tensor({5, 4}, 2);
  const Indices targets({2, 3}, {0, 1, 2, 3, 4, 0});
  const LossGradients ours = linear_cross_entropy(x, weight, targets, {}, true);
  CHECK(ours.inputs.shape() == Shape{2, 3, 4});
  const LossGradients flat =
      linear_cross_entropy(x.with_shape({6, 4}), weight, Indices({6}, {0, 1, 2, 3, 4, 0}), {}, true);
  CHECK(same_bits(ours.inputs.with_shape({6, 4}), flat.inputs));
  const LossGradients nothing = linear_cross_entropy(Tensor({0, 4}), weight, Indices({0}, {}), {}, true);
  CHECK(nothing.loss == 0);
  CHECK(same_bits(nothing.weight, Tensor::zeros({5, 4})));
}

TEST_CASE("linear cross-entropy: what does not fit is refused") {
  const Tensor x = Tensor::ones({2, 3}), weight = Tensor::ones({4, 3});
  CHECK_THROWS_WITH(
      linear_cross_entropy(x, Tensor::ones({4, 2}), Indices({2}, {0, 0}), {}, false),
      "linear_cross_entropy: x must be [..., D] and the weight [V, D]: x is [2, 3], weight is [4, 2]");
  CHECK_THROWS_WITH(
      linear_cross_entropy(x, weight, Indices({1}, {0}), {}, false),
      "linear_cross_entropy: there must be one target for each row: rows are [2], targets are [1]");
  CHECK_THROWS_WITH(linear_cross_entropy(x, weight, Indices({2}, {0, 4}), {}, false),
                    "linear_cross_entropy: targets must lie in 0 … 3: got 4");
}

TEST_CASE("losses: the bits are the same for 1, 2 and 4 threads") {
  check_same_bits_for_any_thread_count([] {
    const Tensor logits = random_tensor({300, 501}, 1), x = random_tensor({300, 64}, 2),
                 weight = random_tensor({20000, 64}, 3);
    const LossGradients plain =
        cross_entropy(logits, random_targets({300}, 501, 4), options_with(7, 0.1), true);
    const LossGradients blocks =
        linear_cross_entropy(x, weight, random_targets({300}, 20000, 5), options_with(7, 0.1), true);
    return std::vector<Tensor>{Tensor::scalar(plain.loss), plain.inputs, Tensor::scalar(blocks.loss),
                               blocks.inputs, blocks.weight};
  });
}

TEST_CASE("cross-entropy: with consistency, the divergence of the two passes is added as it is defined") {
  const Tensor logits = random_tensor({12, 11}, 1, -3, 3);
  const Indices targets = twice(random_targets({6}, 11, 2));
  for (const std::int32_t ignored : {-1, targets[1]}) {
    for (const double smoothing : {0.0, 0.1}) {
      const double plain = cross_entropy(logits, targets, options_with(ignored, smoothing), false).loss;
      const double ours = cross_entropy(logits, targets, consistent(2.5, smoothing, ignored), false).loss;
      CHECK(ours == Approx(plain + 2.5 * naive_consistency(logits, targets, ignored)).epsilon(1e-5));
    }
  }
}

TEST_CASE("cross-entropy: consistency of two classes by hand") {
  // p = (¾, ¼), p' = (½, ½): D = ½·(¾ - ½)·ln 3 + ½·(¼ - ½)·0 with d = (ln 3, 0).
  const auto log3 = static_cast<Real>(std::log(3.0));
  const Tensor logits({2, 2}, {log3, 0, 0, 0});
  const LossGradients result = cross_entropy(logits, Indices({2}, {0, 0}), consistent(8), true);
  const double divergence = 0.125 * std::log(3.0);
  CHECK(result.loss == Approx((std::log(4.0 / 3) + std::log(2.0)) / 2 + 8 * divergence).epsilon(1e-6));
  // ∂D/∂x = ½·(p·(d - Σ p·d) + p - p') = ½·(3/16·ln 3 + ¼), and the opposite; ∂D/∂x' = -½·(¼·ln 3 + ¼).
  const double dx = (0.1875 * std::log(3.0) + 0.25) / 2, dy = -(0.25 * std::log(3.0) + 0.25) / 2;
  const double cx = -0.25 / 2, cy = -0.5 / 2;  // (p - q) / 2 of the cross-entropy
  const Tensor expected({2, 2}, {static_cast<Real>(cx + 8 * dx), static_cast<Real>(-cx - 8 * dx),
                                 static_cast<Real>(cy + 8 * dy), static_cast<Real>(-cy - 8 * dy)});
  CHECK(difference(result.inputs, expected) == "");
}

TEST_CASE("cross-entropy: two passes that agree, and a class that both rule out, cost no consistency") {
  const Indices targets({2}, {0, 0});
  const Tensor same({2, 3}, {1, 2, -infinity, 1, 2, -infinity});
  const LossGradients result = cross_entropy(same, targets, consistent(5), true);
  const LossGradients plain = cross_entropy(same, targets, options_with(-1, 0), true);
  CHECK(result.loss == plain.loss);
  CHECK(result.inputs.to_vector() == plain.inputs.to_vector());
}

TEST_CASE("linear cross-entropy: with consistency it is that of x·Wᵀ, over one block of rows or several") {
  for (const auto& [rows, classes] : std::vector<std::pair<Index, Index>>{{6, 7}, {300, 40'000}}) {
    INFO(rows << " rows, " << classes << " classes");
    const Tensor x = random_tensor({rows, 4}, 1), weight = random_tensor({classes, 4}, 2);
    const Indices targets = twice(random_targets({rows / 2}, classes, 3));
    const CrossEntropyOptions options = consistent(2, 0.1, targets[0]);
    const LossGradients ours = linear_cross_entropy(x, weight, targets, options, true);
    const LossGradients whole = cross_entropy(linear(x, weight, Tensor()), targets, options, true);
    CHECK(ours.loss == Approx(whole.loss).epsilon(1e-5));
    CHECK(difference(ours.inputs, matmul(whole.inputs, weight), 1e-4) == "");
    CHECK(difference(ours.weight, matmul(whole.inputs, x, {true, false}), 1e-4) == "");
  }
}

TEST_CASE("cross-entropy: consistency needs two passes of the same targets, and a weight") {
  const Tensor logits = Tensor::ones({2, 3});
  const auto loss = [&](const Indices& targets, double weight) {
    return cross_entropy(logits, targets, consistent(weight), false);
  };
  CHECK_THROWS_WITH(loss(Indices({2}, {0, 1}), 1),
                    "cross_entropy: for consistency the second half of the targets must be the first again: "
                    "they are [2]");
  CHECK_THROWS_WITH(cross_entropy(Tensor::ones({3, 3}), Indices({3}, {0, 0, 0}), consistent(1), false),
                    Contains("the second half of the targets must be the first again"));
  CHECK_THROWS_WITH(loss(Indices({2}, {0, 0}), -1),
                    "cross_entropy: the weight of consistency must not be negative: got -1");
}
