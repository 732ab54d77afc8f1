#include <gradual/core/rows/top_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

using Ids = std::vector<std::int32_t>;

// By sorting whole rows, in double.
TopClasses sorted_top(const Tensor& logits, Index count, const Ids& excluded) {
  TopClasses top{count, {}, {}};
  const Index width = logits.dim(1);
  for (Index r = 0; r < logits.dim(0); ++r) {
    const Real* row = logits.data() + r * width;
    double total = 0;
    Ids order;
    for (Index i = 0; i < width; ++i) {
      total += std::exp(static_cast<double>(row[i]));
      const auto id = static_cast<std::int32_t>(i);
      if (std::find(excluded.begin(), excluded.end(), id) == excluded.end()) order.push_back(id);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return row[a] > row[b]; });
    for (Index i = 0; i < count; ++i) {
      const std::int32_t id = i < static_cast<Index>(order.size()) ? order[static_cast<std::size_t>(i)] : -1;
      top.ids.push_back(id);
      top.log_probabilities.push_back(
          id < 0 ? -infinity : static_cast<Real>(static_cast<double>(row[id]) - std::log(total)));
    }
  }
  return top;
}

void check_equal(const TopClasses& found, const TopClasses& expected) {
  CHECK(found.count == expected.count);
  CHECK(found.ids == expected.ids);
  REQUIRE(found.log_probabilities.size() == expected.log_probabilities.size());
  for (std::size_t i = 0; i < expected.log_probabilities.size(); ++i) {
    const Real ours = found.log_probabilities[i], theirs = expected.log_probabilities[i];
    if (ours != theirs) CHECK(ours == Approx(theirs).epsilon(rounding_tolerance).margin(rounding_tolerance));
  }
}

}  // namespace

TEST_CASE("top_log_softmax: the best of a row by hand") {
  const Real e = std::log(Real(2));  // 1, 2, 4 and 1 of 8
  const TopClasses top = top_log_softmax(Tensor({1, 4}, {0, e, 2 * e, 0}), 3);
  CHECK(top.ids == Ids{2, 1, 0});
  CHECK(top.log_probabilities[0] == Approx(-e));
  CHECK(top.log_probabilities[1] == Approx(-2 * e));
  CHECK(top.log_probabilities[2] == Approx(-3 * e));
}

TEST_CASE("top_log_softmax: finds what sorting finds, for widths with and without remainders") {
  const Index width = GENERATE(1, 2, 15, 64, 65, 200, 1000);
  const Tensor logits = random_tensor({7, width}, static_cast<std::uint64_t>(width), -6, 6);
  for (Index count : {1, 2, 6}) {
    check_equal(top_log_softmax(logits, count), sorted_top(logits, count, {}));
    check_equal(top_log_softmax(logits, count, {0, 3}), sorted_top(logits, count, {0, 3}));
  }
}

TEST_CASE("top_log_softmax: of equal logits the lower classes come first") {
  const Tensor logits = Tensor::zeros({2, 300});
  CHECK(top_log_softmax(logits, 4, {1}).ids == Ids{0, 2, 3, 4, 0, 2, 3, 4});
  // Whichever thread is first.
  const ThreadCount threads(4);
  const PackedMatrix weight = PackedMatrix::of_weight(Tensor::zeros({5000, 3}));
  for (int again = 0; again < 300; ++again)
    CHECK(top_log_softmax(Tensor::ones({2, 3}), weight, 4, {1}).ids == Ids{0, 2, 3, 4, 0, 2, 3, 4});
}

TEST_CASE("top_log_softmax: infinite and missing logits") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const TopClasses some = top_log_softmax(Tensor({1, 3}, {-infinity, 5, -infinity}), 2);
  CHECK(some.ids == Ids{1, -1});
  CHECK(some.log_probabilities[0] == Approx(0).margin(1e-6));
  CHECK(some.log_probabilities[1] == -infinity);
  for (const Tensor& bad :
       {Tensor({1, 3}, {1, nan, 2}), Tensor({1, 3}, {nan, nan, nan}), Tensor({1, 3}, {1, infinity, 2}),
        Tensor({1, 3}, {-infinity, -infinity, -infinity})})
    CHECK(top_log_softmax(bad, 2).ids == Ids{-1, -1});
}

TEST_CASE("top_log_softmax: logits far from zero neither overflow nor vanish") {
  for (double offset : {-3000.0, 3000.0}) {
    Tensor logits = random_tensor({3, 70}, 5, offset - 2, offset + 2);
    const TopClasses top = top_log_softmax(logits, 2);
    Real* values = logits.mutable_data();
    for (Index i = 0; i < logits.size(); ++i) values[i] -= static_cast<Real>(offset);
    const TopClasses expected = sorted_top(logits, 2, {});
    CHECK(top.ids == expected.ids);
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(top.log_probabilities[i] == Approx(expected.log_probabilities[i]).epsilon(1e-3));
  }
}

TEST_CASE("top_log_softmax: of three equal logits each has a third, in the millions too") {
  for (const Real logit : {Real(0), Real(1e4), Real(1e6)})
    CHECK(top_log_softmax(Tensor::full({1, 3}, logit), 1).log_probabilities[0] == Approx(-std::log(3.0)));
}

TEST_CASE("top_log_softmax: of a product it finds what it finds in the table of logits") {
  const Index classes = GENERATE(1, 31, 32, 33, 255, 257, 1000, 5000);
  for (Index rows : {1, 5, 12, 13, 150}) {
    const Tensor x = random_tensor({rows, 24}, 1), weight = random_tensor({classes, 24}, 2);
    Tensor logits({rows, classes});
    Real* to = logits.mutable_data();
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < classes; ++c) {
        double sum = 0;
        for (Index k = 0; k < 24; ++k)
          sum += static_cast<double>(x.data()[r * 24 + k]) * static_cast<double>(weight.data()[c * 24 + k]);
        to[r * classes + c] = static_cast<Real>(sum);
      }
    }
    check_equal(top_log_softmax(x, PackedMatrix::of_weight(weight), 3, {2}), sorted_top(logits, 3, {2}));
  }
}

TEST_CASE("top_log_softmax: no rows have no best classes") {
  CHECK(top_log_softmax(Tensor({0, 5}), 2).ids.empty());
  CHECK(top_log_softmax(Tensor({0, 5}), PackedMatrix::of_weight(Tensor::ones({7, 5})), 2).ids.empty());
}

TEST_CASE("top_log_softmax: what does not fit is refused") {
  CHECK_THROWS_WITH(top_log_softmax(Tensor::ones({5}), 2), "top_log_softmax: logits must be [B, V]: got [5]");
  CHECK_THROWS_WITH(top_log_softmax(Tensor::ones({1, 5}), 0),
                    "top_log_softmax: the count must be positive and fit 31 bits: got 0");
  CHECK_THROWS_WITH(
      top_log_softmax(Tensor::ones({1, 5}), PackedMatrix::of_weight(Tensor::ones({7, 4})), 1),
      "top_log_softmax: x must have the inputs of the weight: x is [1, 5], the weight has 4 inputs");
  CHECK_THROWS_WITH(PackedMatrix::of_weight(Tensor::ones({7})),
                    "packed matrix: the weight must be [out, in]: it is [7]");
}

TEST_CASE("top_log_softmax: of a product in 8 bits it finds what it finds in the table of its logits") {
  const Index classes = GENERATE(1, 31, 33, 257, 1000);
  for (Index rows : {1, 5, 13, 150}) {
    const Tensor x = random_tensor({rows, 24}, 1);
    const Int8Matrix weight = Int8Matrix::of_weight(random_tensor({classes, 24}, 2));
    Tensor logits({rows, classes});
    parallel_multiply(rows, {x.data(), 24}, weight, {logits.mutable_data(), classes});
    check_equal(top_log_softmax(x, weight, 3, {2}), sorted_top(logits, 3, {2}));
  }
  CHECK_THROWS_WITH(
      top_log_softmax(Tensor::ones({1, 5}), Int8Matrix::of_weight(Tensor::ones({7, 4})), 1),
      "top_log_softmax: x must have the inputs of the weight: x is [1, 5], the weight has 4 inputs");
}
