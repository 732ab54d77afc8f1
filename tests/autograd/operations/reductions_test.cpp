// Sums, means and maxima over axes: values by hand and gradients.
#include <gradual/autograd/operations.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"
#include "support/variables.hpp"

using namespace gradual;

namespace {

const Tensor box({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});

}  // namespace

TEST_CASE("sum: over all axes, some axes, and with the axes kept") {
  const Var x = box;
  check(sum(x), {}, {78});
  check(sum(x, {0}), {2, 3}, {8, 10, 12, 14, 16, 18});
  check(sum(x, {1}), {2, 3}, {5, 7, 9, 17, 19, 21});
  check(sum(x, {-1}), {2, 2}, {6, 15, 24, 33});
  check(sum(x, {0, 1}), {3}, {22, 26, 30});
  check(sum(x, {2, 0}), {2}, {30, 48});
  check(sum(x, {1}, Axis::kept), {2, 1, 3}, {5, 7, 9, 17, 19, 21});
  check(sum(x, {}, Axis::kept), {1, 1, 1}, {78});
  check(sum(Var(Tensor::scalar(5))), {}, {5});
}

TEST_CASE("sum: each element gets the gradient of its sum") {
  const Var x = Var::parameter(box);
  backward(sum(x, {0, 2}), Tensor({2}, {10, 20}));
  CHECK(x.grad().to_vector() == std::vector<Real>{10, 10, 10, 20, 20, 20, 10, 10, 10, 20, 20, 20});
}

TEST_CASE("sum: a million elements are summed without losing digits") {
  const Var x = Tensor::full({1'000'000}, Real(0.1));
  CHECK(difference(sum(x).value(), Tensor::scalar(100'000)) == "");
  CHECK(difference(mean(x).value(), Tensor::scalar(Real(0.1))) == "");
  const Var columns = reshape(x, {-1, 2}), rows = reshape(x, {2, -1}), middle = reshape(x, {2, -1, 1, 2});
  CHECK(difference(sum(columns, {0}).value(), Tensor::full({2}, 50'000)) == "");
  CHECK(difference(sum(rows, {1}).value(), Tensor::full({2}, 50'000)) == "");
  CHECK(difference(sum(middle, {1}).value(), Tensor::full({2, 1, 2}, 25'000)) == "");
}

TEST_CASE("sum: of no elements is 0") {
  const Var x = Var::parameter(Tensor(Shape{0, 2}));
  check(sum(x), {}, {0});
  check(sum(x, {0}), {2}, {0, 0});
  check(sum(x, {1}), {0}, {});
}

TEST_CASE("mean: over all axes, some axes, and its gradient") {
  const Var x = Var::parameter(box);
  CHECK(difference(mean(x).value(), Tensor::scalar(6.5)) == "");
  CHECK(difference(mean(x, {1}).value(), Tensor({2, 3}, {2.5, 3.5, 4.5, 8.5, 9.5, 10.5})) == "");
  CHECK(mean(x, {0, 2}, Axis::kept).shape() == Shape{1, 2, 1});
  backward(mean(x, {0, 2}), Tensor({2}, {6, 12}));
  CHECK(difference(x.grad(), Tensor({2, 2, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2})) == "");
}

TEST_CASE("reductions: what fits a number is one, however large the sums on the way are") {
  if (std::is_same_v<Real, double>) return;  // sums are made in double
  constexpr Real most = std::numeric_limits<Real>::max(), inf = std::numeric_limits<Real>::infinity();
  const Tensor four({4, 1}, {most, most, -most, -most}),
      beside = concat<Tensor>({four, Tensor::ones({4, 1})}, 1);
  CHECK(same_bits(sum(four.with_shape({1, 4}), {1}), Tensor::zeros({1})));
  CHECK(same_bits(sum(beside, {0}), Tensor({2}, {0, 4})));
  CHECK(same_bits(sum(Tensor({2, 2}, {inf, most, 1, most}), {0}), Tensor({2}, {inf, inf})));
  CHECK(same_bits(mean(Tensor({2}, {most, most})), Tensor::scalar(most)));
  CHECK(same_bits(mean(Tensor({2, 2}, {most, 1, most, 3}), {0}), Tensor({2}, {most, 2})));
  CHECK(same_bits(mean(Tensor::full({2, 1, 2}, most), {0, 2}), Tensor({1}, {most})));
  const Real root =
      std::ldexp(Real(1), std::numeric_limits<Real>::max_exponent / 2 - 1);  // four squares are ∞
  for (const Shape& shape : {Shape{4}, Shape{4, 1}, Shape{2, 1, 2}})
    CHECK(same_bits(
        variance(Tensor(shape, {-root, root, -root, root}), shape.rank() == 3 ? Axes{0, 2} : Axes{0}),
        Tensor::full(shape.rank() == 1 ? Shape{} : Shape{1}, root * root)));
  // The distances from the mean are ¾ and ¼ of it: one square alone is ∞, and 3/16 of a square is the
  // variance.
  const int half = std::numeric_limits<Real>::max_exponent / 2;
  const Real large = std::ldexp(Real(3), half - 1), spread = std::ldexp(Real(27), 2 * half - 6);
  for (const Shape& shape : {Shape{1, 4}, Shape{4, 1}})
    CHECK(variance(Tensor(shape, {large, 0, 0, 0})).item() == spread);
  CHECK(variance(Tensor({4, 1}, {large, 0, 0, 0}), {0}).item() == spread);
}

TEST_CASE("variance: of neighbouring floats it is right, whose mean is none of them") {
  if (std::is_same_v<Real, double>) return;
  const Real step = std::ldexp(Real(1), -10), low = 10000;
  for (const Axes& axes : {Axes{0}, Axes{0, 1}})
    CHECK(variance(Tensor({2, 1}, {low, low + step}), axes).item() == step * step / 4);
}

TEST_CASE("max: over all axes, some axes, and its gradient") {
  const Var x = Var::parameter(Tensor({2, 3}, {1, 9, -3, 4, 2, 6}));
  check(max(x), {}, {9});
  check(max(x, {0}), {3}, {4, 9, 6});
  check(max(x, {1}, Axis::kept), {2, 1}, {9, 6});
  check(max(Var(Tensor({2}, {-5, -7}))), {}, {-5});
  backward(max(x, {1}), Tensor({2}, {10, 20}));
  CHECK(x.grad().to_vector() == std::vector<Real>{0, 10, 0, 0, 0, 20});
}

TEST_CASE("max: elements that share the maximum share its gradient") {
  const Var x = Var::parameter(Tensor({4}, {7, 1, 7, 7}));
  backward(max(x), Tensor::scalar(6));
  CHECK(x.grad().to_vector() == std::vector<Real>{2, 0, 2, 2});
}

TEST_CASE("max and min: what is not a number wins, wherever it stands, and infinities are numbers") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN(), inf = std::numeric_limits<Real>::infinity();
  for (const Index size : {2, 31, 33, 100}) {  // in one pass of 32 side by side, and in several
    for (const Index place : {Index(0), size / 2, size - 1}) {
      Tensor x = Tensor::arange(size);
      x.mutable_data()[place] = nan;
      for (const Tensor& each : {x, x.with_shape({size, 1})}) {
        CHECK(std::isnan(max(each).item()));
        CHECK(std::isnan(min(each).item()));
      }
      const Tensor beside = concat({x.with_shape({size, 1}), Tensor::ones({size, 1})}, 1);  // along columns
      CHECK(std::isnan(max(beside, {0}).data()[0]));
      CHECK(max(beside, {0}).data()[1] == 1);
      CHECK(std::isnan(min(beside, {0}).data()[0]));
    }
    const Var lowest = Var::parameter(Tensor::full({size}, -inf));
    check(max(lowest), {}, {-inf});
    check(min(Var(Tensor::full({size}, inf))), {}, {inf});
    backward(max(lowest));
    CHECK(difference(lowest.grad(), Tensor::full({size}, 1 / static_cast<Real>(size))) == "");
  }
}

TEST_CASE("reductions: axes that do not exist, are named twice, or hold nothing to compare are refused") {
  const Var x = box;
  CHECK_THROWS_AS(sum(x, {3}), std::invalid_argument);
  CHECK_THROWS_WITH(sum(x, {3}), "sum: no such axis: axis 3 of [2, 2, 3]");
  CHECK_THROWS_WITH(sum(x, {-4}), "sum: no such axis: axis -4 of [2, 2, 3]");
  CHECK_THROWS_WITH(mean(x, {1, -2}), "mean: each axis may be named once: x is [2, 2, 3], axes are [1, 1]");
  CHECK_THROWS_WITH(max(Var(Tensor(Shape{0, 2}))), "max: there must be elements: x is [0, 2]");
  CHECK_THROWS_WITH(mean(Var(Tensor(Shape{0, 2}))), "mean: there must be elements: x is [0, 2]");
  CHECK_THROWS_WITH(mean(Tensor({2, 0}), {1}), "mean: there must be elements: x is [2, 0]");
  CHECK_THROWS_WITH(variance(Tensor({2, 0}), {1}), "variance: there must be elements: x is [2, 0]");
  CHECK(mean(Tensor({2, 0}), {0}).shape() == Shape{0});  // no mean is asked for
}

TEST_CASE("argmax: the first of the largest along an axis; what is not a number counts as the largest") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Tensor x({2, 3}, {5, 1, 5, 5, nan, nan});
  const auto places = [&](Index axis) {
    const Indices found = argmax(x, axis);
    return std::vector<std::int32_t>(found.begin(), found.end());
  };
  CHECK(places(1) == std::vector<std::int32_t>{0, 1});
  CHECK(places(0) == std::vector<std::int32_t>{0, 1, 1});
  CHECK_THROWS_WITH(argmax(Tensor({2, 0}), 1), "argmax: there must be elements: x is [2, 0], axis is 1");
  CHECK_THROWS_WITH(argmax(Tensor({0, Index(1) << 31}), 1),
                    "argmax: places must fit 31 bits: x is [0, 2147483648], axis is 1");
}
