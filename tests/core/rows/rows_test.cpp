// Softmax against its equation, in double.
#include <gradual/core/rows/rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/elements/arithmetic.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;
using Numbers = std::vector<Real>;
using Doubles = std::vector<double>;

namespace {

constexpr double tolerance = sizeof(Real) == 4 ? 2e-6 : 1e-13;

// Calls rule(row of x in double) for each row; it returns a row of the result.
template <class Rule>
Tensor by_rows(const Tensor& x, Rule rule) {
  Tensor y(x.shape());
  const Index width = x.dim(-1);
  for (Index start = 0; start < x.size(); start += width) {
    const Doubles result = rule(Doubles(x.data() + start, x.data() + start + width), start / width);
    for (Index i = 0; i < width; ++i)
      y.mutable_data()[start + i] = static_cast<Real>(result[static_cast<std::size_t>(i)]);
  }
  return y;
}

Doubles naive_softmax(Doubles row, std::size_t valid) {
  double total = 0;
  for (std::size_t i = 0; i < valid; ++i) total += std::exp(row[i]);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = i < valid ? std::exp(row[i]) / total : 0;
  return row;
}

Tensor naive_softmax(const Tensor& x) {
  return by_rows(x, [](const Doubles& row, Index) { return naive_softmax(row, row.size()); });
}

}  // namespace

TEST_CASE("softmax: equals its equation for rows of every width") {
  for (Index width : {1, 2, 7, 16, 100}) {
    const Tensor x = random_tensor({3, 5, width}, 1, -5, 5);
    CHECK(difference(softmax(x), naive_softmax(x), tolerance) == "");
  }
  CHECK(softmax(Tensor({0, 3})).shape() == Shape{0, 3});
  CHECK(softmax(Tensor({3, 0})).shape() == Shape{3, 0});
}

TEST_CASE("softmax: large numbers neither overflow nor vanish") {
  const Tensor y = softmax(Tensor({3}, {10000, 10000, -10000}));
  CHECK(y.to_vector() == Numbers{0.5, 0.5, 0});
  CHECK(std::isnan(softmax(Tensor({2}, {infinity, 0})).data()[0]));  // ∞ - ∞
}

TEST_CASE(
    "softmax: a score of -∞ gets no weight, and a row of them none at all, but what is not a number stays") {
  CHECK(softmax(Tensor({3}, {-infinity, 1, 1})).to_vector() == Numbers{0, 0.5, 0.5});
  for (Index width : {1, 2, 16, 17, 64, 100}) {  // of one vector, of several, and of a part of one
    Tensor x = Tensor::full({width}, -infinity);
    CHECK(same_bits(softmax(x), Tensor::zeros({width})));
    x.mutable_data()[width / 2] = std::numeric_limits<Real>::quiet_NaN();
    const Tensor y = softmax(x);
    CHECK(std::all_of(y.begin(), y.end(), [](Real each) { return std::isnan(each); }));
  }
}

TEST_CASE("softmax: the largest score counts wherever it stands") {
  for (Index width : {3, 16, 17, 31, 32, 33, 65}) {
    for (Index place = 0; place < width; ++place) {
      Tensor x = Tensor::full({width}, -1000), expected = Tensor::zeros({width});
      x.mutable_data()[place] = 1000;
      expected.mutable_data()[place] = 1;
      CHECK(same_bits(softmax(x), expected));
    }
  }
}

TEST_CASE("softmax: leaves its input as it is") {
  const Tensor x({2}, {1, 2});
  softmax(x);
  CHECK(x.to_vector() == Numbers{1, 2});
}

TEST_CASE("softmax: backward equals its Jacobian times dy, and leaves dy as it is") {
  const Tensor x = random_tensor({4, 9}, 1, -3, 3), dy = random_tensor({4, 9}, 2);
  const Tensor y = softmax(x), copy = dy * Real(1);
  const Tensor expected = by_rows(x, [&](const Doubles& row, Index r) {
    const Doubles p = naive_softmax(row, row.size());
    Doubles dx(row.size(), 0.0);
    for (Index i = 0; i < 9; ++i)
      for (Index j = 0; j < 9; ++j)
        dx[static_cast<std::size_t>(i)] += p[static_cast<std::size_t>(i)] *
                                           ((i == j) - p[static_cast<std::size_t>(j)]) *
                                           static_cast<double>(dy({r, j}));
    return dx;
  });
  CHECK(difference(softmax_backward(y, dy), expected, 10 * tolerance) == "");
  CHECK(same_bits(dy, copy));
}

TEST_CASE("log-softmax: equals the logarithm of softmax, for large numbers too") {
  const Tensor x = random_tensor({3, 20}, 1, -5, 5);
  const Tensor expected = by_rows(x, [](const Doubles& row, Index) {
    Doubles y = naive_softmax(row, row.size());
    for (double& each : y) each = std::log(each);
    return y;
  });
  CHECK(difference(log_softmax(x), expected, tolerance) == "");
  CHECK(log_softmax(Tensor({2}, {10000, 0})).to_vector() == Numbers{0, -10000});
  const Tensor shifted = log_softmax(Tensor({2}, {4096, 4097}));
  CHECK(shifted.data()[0] == Approx(-1.3132616875).epsilon(1e-6));  // -log(1 + e)
  CHECK(shifted.data()[1] == Approx(-0.3132616875).epsilon(1e-6));
}

TEST_CASE("log-softmax: backward equals its equation") {
  const Tensor x = random_tensor({4, 9}, 1, -3, 3), dy = random_tensor({4, 9}, 2);
  const Tensor expected = by_rows(x, [&](const Doubles& row, Index r) {
    Doubles dx = naive_softmax(row, row.size());
    double total = 0;
    for (Index j = 0; j < 9; ++j) total += static_cast<double>(dy({r, j}));
    for (Index j = 0; j < 9; ++j)
      dx[static_cast<std::size_t>(j)] =
          static_cast<double>(dy({r, j})) - dx[static_cast<std::size_t>(j)] * total;
    return dx;
  });
  CHECK(difference(log_softmax_backward(log_softmax(x), dy), expected, 10 * tolerance) == "");
}

TEST_CASE("masked softmax: weighs the first keys of each sentence, or of each query") {
  const Tensor x = random_tensor({2, 3, 4}, 1, -3, 3);
  const Tensor by_sentence = masked_softmax(x, Indices({2}, {3, 1}));
  CHECK(difference(by_sentence,
                   by_rows(x, [](const Doubles& row, Index r) { return naive_softmax(row, r < 3 ? 3 : 1); }),
                   tolerance) == "");
  const std::vector<std::int32_t> lengths{4, 0, 2, 1, 3, 0};
  const Tensor by_query = masked_softmax(x, Indices({2, 3}, lengths));
  CHECK(difference(by_query,
                   by_rows(x,
                           [&](const Doubles& row, Index r) {
                             return naive_softmax(
                                 row, static_cast<std::size_t>(lengths[static_cast<std::size_t>(r)]));
                           }),
                   tolerance) == "");
}

TEST_CASE("masked softmax: a row without a valid key is all zeros, and masked scores do not matter") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Tensor y = masked_softmax(Tensor({2, 3}, {1, 2, 3, 1, nan, infinity}), Indices({2}, {0, 1}));
  CHECK(y.to_vector() == Numbers{0, 0, 0, 1, 0, 0});
}

TEST_CASE("masked softmax: lengths that do not fit are refused") {
  const Tensor x = Tensor::ones({2, 3, 4});
  CHECK_THROWS_WITH(
      masked_softmax(x, Indices({3}, {1, 1, 1})),
      "masked_softmax: valid lengths must have the first axes of the scores, such as [B] or [B, T]: "
      "scores are [2, 3, 4], valid lengths are [3]");
  CHECK_THROWS_AS(masked_softmax(x, Indices({2, 3, 4}, std::vector<std::int32_t>(24, 1))),
                  std::invalid_argument);
  CHECK_THROWS_AS(masked_softmax(x, Indices({}, {1})), std::invalid_argument);
  CHECK_THROWS_WITH(masked_softmax(x, Indices({2}, {1, 5})),
                    "masked_softmax: valid lengths must lie in 0 … number of keys: got 5 of 4 keys");
  CHECK_THROWS_AS(masked_softmax(x, Indices({2}, {-1, 1})), std::invalid_argument);
}

TEST_CASE("rows: what has no last axis, or does not fit it, is refused") {
  const Tensor scalar = Tensor::scalar(1), x = Tensor::ones({2, 3}), three = Tensor::ones({3});
  CHECK_THROWS_WITH(softmax(scalar), "softmax: x must have at least one axis: x is []");
  CHECK_THROWS_WITH(log_softmax(scalar), "log_softmax: x must have at least one axis: x is []");
  CHECK_THROWS_WITH(masked_softmax(scalar, Indices()),
                    "masked_softmax: x must have at least one axis: x is []");
  CHECK_THROWS_WITH(softmax(Tensor()), "softmax: x must have at least one axis: x is []");
  CHECK_THROWS_WITH(softmax_backward(x, three), "softmax_backward: dy must be [2, 3]: it is [3]");
  CHECK_THROWS_WITH(softmax_backward(x, Tensor()), "softmax_backward: dy must be defined");
  CHECK_THROWS_WITH(softmax_backward(scalar, scalar),
                    "softmax_backward: x must have at least one axis: x is []");
  CHECK_THROWS_WITH(log_softmax_backward(x, three), "log_softmax_backward: dy must be [2, 3]: it is [3]");
  CHECK_THROWS_WITH(log_softmax_backward(scalar, scalar),
                    "log_softmax_backward: x must have at least one axis: x is []");
}

TEST_CASE("rows: the bits are the same for 1, 2 and 4 threads") {
  check_same_bits_for_any_thread_count([] {
    const Tensor x = random_tensor({900, 130}, 1), dy = random_tensor({900, 130}, 2);
    std::vector<std::int32_t> lengths(900);
    for (std::size_t i = 0; i < 900; ++i) lengths[i] = static_cast<std::int32_t>(i % 131);
    const Tensor y = softmax(x), logs = log_softmax(x);
    return std::vector<Tensor>{y, softmax_backward(y, dy), logs, log_softmax_backward(logs, dy),
                               masked_softmax(x, Indices({900}, lengths))};
  });
}
