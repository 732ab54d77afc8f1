// Arithmetic and functions, element by element, against the standard library and naive loops.
#include <gradual/core/elements/arithmetic.hpp>

#include <cmath>
#include <functional>
#include <limits>

#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/vector_math.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;
using Numbers = std::vector<Real>;

namespace {

constexpr Real not_a_number = std::numeric_limits<Real>::quiet_NaN();

// The element of x that a tensor of shape `whole` meets at a place, when x is repeated to fit.
Real repeated(const Tensor& x, const Shape& whole, Index place) {
  Index position = 0, stride = 1;
  for (Index back = 1; back <= whole.rank(); ++back) {
    const Index coordinate = place % whole[-back];
    place /= whole[-back];
    if (back > x.rank()) continue;
    if (x.dim(-back) != 1) position += coordinate * stride;
    stride *= x.dim(-back);
  }
  return x.data()[position];
}

void check_broadcast(const Shape& a_shape, const Shape& b_shape) {
  INFO(a_shape << " with " << b_shape);
  const Tensor a = random_tensor(a_shape, 1), b = random_tensor(b_shape, 2, 0.5, 2);
  const Shape shape = broadcast_shapes("test", a_shape, b_shape);
  const auto naive = [&](auto function) {
    Tensor y(shape);
    for (Index i = 0; i < shape.size(); ++i)
      y.mutable_data()[i] = function(repeated(a, shape, i), repeated(b, shape, i));
    return y;
  };
  CHECK(same_bits(a + b, naive([](Real x, Real y) { return x + y; })));
  CHECK(same_bits(a - b, naive([](Real x, Real y) { return x - y; })));
  CHECK(same_bits(a * b, naive([](Real x, Real y) { return x * y; })));
  CHECK(difference(a / b, naive([](Real x, Real y) { return x / y; }), 1e-6) == "");
  CHECK(same_bits(is_equal(a, b), naive([](Real x, Real y) { return x == y ? Real(1) : Real(0); })));
}

using Function = Tensor(const Tensor&);

Real value(Function* function, Real x) { return function(Tensor::scalar(x)).item(); }

// The largest error of a function against one in double, over a grid, relative to max(|expected|, floor).
double largest_error(Function* function, double (*exact)(double), double low, double high, double floor) {
  constexpr Index steps = 400000;
  Tensor x(Shape{steps + 1});
  for (Index i = 0; i <= steps; ++i)
    x.mutable_data()[i] = static_cast<Real>(low + (high - low) * static_cast<double>(i) / steps);
  const Tensor y = function(x);
  double worst = 0;
  for (Index i = 0; i <= steps; ++i) {
    const double expected = exact(static_cast<double>(x.data()[i])), ours = static_cast<double>(y.data()[i]);
    worst = std::max(worst, std::abs(ours - expected) / std::max(std::abs(expected), floor));
  }
  return worst;
}

// f'(x)
Tensor slope(Operation (*function)(const Tensor&), const Tensor& x) {
  return function(x).da(Tensor::ones(x.shape()));
}

}  // namespace

TEST_CASE("elementwise: arithmetic broadcasts as naive loops do") {
  check_broadcast({2, 3}, {2, 3});
  check_broadcast({}, {});
  check_broadcast({2, 3, 4}, {4});
  check_broadcast({4}, {2, 3, 4});
  check_broadcast({2, 3, 4}, {3, 4});
  check_broadcast({2, 3, 4}, {1, 1, 4});
  check_broadcast({2, 3, 4}, {3, 1});
  check_broadcast({2, 3, 4}, {2, 1, 4});
  check_broadcast({2, 1, 4}, {3, 1});
  check_broadcast({2, 3}, {});
  check_broadcast({}, {2, 3});
  check_broadcast({2, 3}, {1, 1, 1});
  check_broadcast({1, 1}, {5});
  check_broadcast({7, 1}, {1, 5});
  check_broadcast({0, 3}, {3});
  check_broadcast({3, 0}, {1});
  check_broadcast({2, 1, 3, 1, 2, 1, 2, 1}, {3, 1, 2, 1, 3, 1, 2});
  check_broadcast({500, 70}, {70});
  check_broadcast({100, 1000}, {100, 1});
}

TEST_CASE("elementwise: shapes that do not fit are named with the operation") {
  const Tensor a = Tensor::ones({2, 3}), b = Tensor::ones({2});
  const std::string rule =
      ": shapes must be equal or 1 along each axis, counted from the last: a is [2, 3], b is [2]";
  CHECK_THROWS_AS(a + b, std::invalid_argument);
  CHECK_THROWS_WITH(a + b, "add" + rule);
  CHECK_THROWS_WITH(a - b, "sub" + rule);
  CHECK_THROWS_WITH(a * b, "mul" + rule);
  CHECK_THROWS_WITH(a / b, "div" + rule);
  CHECK_THROWS_WITH(is_equal(a, b), "is_equal" + rule);
}

TEST_CASE("elementwise: negation, factors, comparison and choice") {
  const Tensor x({4}, {1, -2, 0, 3});
  CHECK((-x).to_vector() == Numbers{-1, 2, 0, -3});
  CHECK((x * Real(2)).to_vector() == Numbers{2, -4, 0, 6});
  CHECK((x > 0).to_vector() == Numbers{1, 0, 0, 1});
  CHECK(is_equal(x, Tensor::scalar(0)).to_vector() == Numbers{0, 0, 1, 0});
  CHECK(where(Tensor({4}, {1, 0, -1, 0}), x, x * Real(10)).to_vector() == Numbers{1, -20, 0, 30});
  CHECK_THROWS_WITH(
      where(x, x, Tensor::ones({3})),
      "where: shapes must be equal or 1 along each axis, counted from the last: a is [4], b is [3]");
  CHECK_THROWS_WITH(
      where(Tensor::ones({3}), x, 0),
      "where: shapes must be equal or 1 along each axis, counted from the last: the condition is "
      "[3], the choice is [4]");
}

TEST_CASE("elementwise: adding in place changes no other tensor") {
  Tensor sum({3}, {1, 2, 3});
  const Real* before = sum.data();
  add_in_place(sum, Tensor({3}, {10, 20, 30}));
  CHECK(sum.data() == before);
  const Tensor copy = sum;
  add_in_place(sum, Tensor::ones({3}));
  CHECK(sum.to_vector() == Numbers{12, 23, 34});
  CHECK(copy.to_vector() == Numbers{11, 22, 33});
  const Tensor same = sum;
  add_in_place(sum, same);
  CHECK(sum.to_vector() == Numbers{24, 46, 68});
  CHECK(same.to_vector() == Numbers{12, 23, 34});
  add_in_place(sum, Tensor::ones({1}));
  CHECK(sum.to_vector() == Numbers{25, 47, 69});
  CHECK_THROWS_WITH(
      add_in_place(sum, Tensor::ones({2})),
      "add_in_place: shapes must be equal or 1 along each axis, counted from the last: sum is [3], term is "
      "[2]");
  CHECK_THROWS_WITH(add_in_place(sum, Tensor::ones({2, 3})),
                    "add_in_place: what is assigned to must keep its shape: it is [3], the result is [2, 3]");
}

TEST_CASE("elementwise: scaling in place changes no other tensor") {
  Tensor x({2}, {1, -2});
  const Tensor copy = x;
  scale_in_place(x, Real(0.5));
  CHECK(x.to_vector() == Numbers{0.5, -1});
  CHECK(copy.to_vector() == Numbers{1, -2});
}

TEST_CASE("elementwise: operands that are views of one block keep their own numbers") {
  const Tensor x = Tensor::arange(300);
  CHECK(same_bits(x.rows(100, 200) - x.rows(99, 199), Tensor::ones({100})));
}

TEST_CASE("elementwise: functions have the values of the standard library") {
  const Tensor positive = random_tensor({1000}, 1, 0.01, 10), x = random_tensor({1000}, 2, -6, 6);
  const auto expect = [](const Tensor& y, const Tensor& from, const std::function<double(double)>& exact) {
    Tensor expected(from.shape());
    for (Index i = 0; i < from.size(); ++i)
      expected.mutable_data()[i] = static_cast<Real>(exact(static_cast<double>(from.data()[i])));
    return difference(y, expected, sizeof(Real) == 4 ? 1e-6 : 1e-14);
  };
  CHECK(expect(exp(x), x, [](double v) { return std::exp(v); }) == "");
  CHECK(expect(log(positive), positive, [](double v) { return std::log(v); }) == "");
  CHECK(expect(sqrt(positive), positive, [](double v) { return std::sqrt(v); }) == "");
  CHECK(expect(pow(x, 2), x, [](double v) { return v * v; }) == "");
  CHECK(expect(pow(x, 3), x, [](double v) { return v * v * v; }) == "");
  CHECK(expect(pow(positive, Real(-0.5)), positive, [](double v) { return 1 / std::sqrt(v); }) == "");
  CHECK(expect(tanh(x), x, [](double v) { return std::tanh(v); }) == "");
  CHECK(expect(sigmoid(x), x, [](double v) { return 1 / (1 + std::exp(-v)); }) == "");
  CHECK(expect(relu(x), x, [](double v) { return std::max(v, 0.0); }) == "");
  CHECK(expect(gelu(x), x, [](double v) { return v * 0.5 * std::erfc(-v / std::sqrt(2)); }) == "");
  CHECK(expect(slope(gelu_operation, x), x, [](double v) {
          const double density = std::exp(-v * v / 2) / std::sqrt(2 * 3.14159265358979323846);
          return 0.5 * std::erfc(-v / std::sqrt(2)) + v * density;
        }) == "");
}

TEST_CASE("elementwise: functions at their limits, and of what is not a number") {
  const Tensor x({3}, {infinity, -infinity, not_a_number});
  const auto at_limits = [](const Tensor& y, Real plus, Real minus) {
    return y.data()[0] == plus && y.data()[1] == minus && std::isnan(y.data()[2]);
  };
  CHECK(at_limits(exp(x), infinity, 0));
  CHECK(at_limits(tanh(x), 1, -1));
  CHECK(at_limits(sigmoid(x), 1, 0));
  CHECK(at_limits(relu(x), infinity, 0));
  CHECK(at_limits(gelu(x), infinity, 0));
  CHECK(at_limits(slope(gelu_operation, x), 1, 0));
  CHECK(at_limits(silu(x), infinity, 0));
  CHECK(at_limits(slope(silu_operation, x), 1, 0));
  CHECK(at_limits(elu(x), infinity, -1));
  CHECK(at_limits(slope(elu_operation, x), 1, 0));
  CHECK(log(Tensor::scalar(0)).item() == -infinity);
  CHECK(std::isnan(log(Tensor::scalar(-1)).item()));
  CHECK(std::isnan(sqrt(Tensor::scalar(-1)).item()));
  const Tensor largest = Tensor::scalar(std::numeric_limits<Real>::max());
  for (const Tensor& y : {relu(largest), gelu(largest), silu(largest), elu(largest), softplus(largest)})
    CHECK(y.item() == largest.item());
  const Tensor large({4}, {-1000, 1000, -50, 50});
  CHECK(exp(large).data()[0] == 0);
  CHECK(exp(Tensor::scalar(1000)).item() == infinity);
  CHECK(sigmoid(large).data()[0] == 0);
  CHECK(sigmoid(large).data()[1] == 1);
  CHECK(gelu(large).data()[1] == 1000);
  CHECK(std::abs(gelu(large).data()[0]) == 0);
  CHECK(slope(gelu_operation, large).to_vector()[1] == 1);
  CHECK(slope(gelu_operation, large).to_vector()[0] == 0);
}

// The grids run the functions on tensors, in the loops that the kernels are.

TEST_CASE(
    "exp: right to 2e-7 of its value over all of its range, and to the last digit that floats end with") {
  const double tolerance = sizeof(Real) == 4 ? 2e-7 : 1e-15;
  CHECK(largest_error(exp, std::exp, -87.2, 88.72, 0) < tolerance);
  CHECK(largest_error(exp, std::exp, -1, 1, 0) < tolerance);
  CHECK(largest_error(exp, std::exp, -110, -87.2, 1e-37) < tolerance);
  CHECK(value(exp, Real(88.5)) == Approx(std::exp(88.5)).epsilon(1e-6));
  CHECK(value(exp, Real(-103)) > 0);
  CHECK(value(exp, 0) == 1);
  CHECK(value(exp, Real(-0.0)) == 1);
  CHECK(value(exp, infinity) == infinity);
  CHECK(value(exp, -infinity) == 0);
  CHECK(value(exp, std::numeric_limits<Real>::max()) == infinity);
  CHECK(value(exp, std::numeric_limits<Real>::lowest()) == 0);
  CHECK(value(exp, std::numeric_limits<Real>::denorm_min()) == 1);
  CHECK(std::isnan(value(exp, not_a_number)));
}

TEST_CASE("gelu: right to 5e-7 of x, and the distribution in it ±1 at its limits") {
  const double tolerance = sizeof(Real) == 4 ? 5e-7 : 1e-15;
  const auto exact = [](double v) { return v * 0.5 * std::erfc(-v / std::sqrt(2.0)); };
  CHECK(largest_error(gelu, exact, -6, 6, 1) < tolerance);
  CHECK(largest_error(gelu, exact, -0.01, 0.01, 0.01) < tolerance);
  CHECK(vector_erfc(infinity) == 0);
  CHECK(vector_erfc(-infinity) == 2);
  CHECK(vector_erfc(Real(30)) == 0);
  CHECK(std::isnan(vector_erfc(not_a_number)));
}

TEST_CASE(
    "exponential of a negative number: the bits of the exponential of any, also where floats lose digits") {
  for (double x = 0; x > -110; x -= 0.00371)
    CHECK(vector_exp_of_negative(static_cast<Real>(x)) == vector_exp(static_cast<Real>(x)));
  CHECK(vector_exp_of_negative(Real(-0.0)) == 1);
  CHECK(static_cast<double>(vector_exp_of_negative(-100.0f)) == Approx(std::exp(-100.0)).epsilon(0.02));
  CHECK(vector_exp_of_negative(-infinity) == 0);
  CHECK(vector_exp_of_negative(-1e30f) == 0);
  for (const float x : {std::nanf(""), std::nanf("1")}) CHECK(std::isnan(vector_exp_of_negative(x)));
}

TEST_CASE("tanh: right to 5e-7 of its value, near 0 too, odd, and ±1 at its limits") {
  const double tolerance = sizeof(Real) == 4 ? 5e-7 : 1e-15;
  CHECK(largest_error(tanh, std::tanh, -12, 12, 1e-30) < tolerance);
  CHECK(largest_error(tanh, std::tanh, -0.4, 0.4, 1e-30) < tolerance);
  CHECK(largest_error(tanh, std::tanh, -1e-6, 1e-6, 1e-30) < tolerance);
  CHECK(value(tanh, infinity) == 1);
  CHECK(value(tanh, -infinity) == -1);
  CHECK(value(tanh, 0) == 0);
  CHECK(value(tanh, Real(-0.7)) == -value(tanh, Real(0.7)));
  CHECK(std::isnan(value(tanh, not_a_number)));
}

TEST_CASE("elu: right to 5e-7 of its value, near 0 too") {
  const double tolerance = sizeof(Real) == 4 ? 5e-7 : 1e-15;
  CHECK(largest_error(elu, std::expm1, -20, -1e-9, 1e-30) < tolerance);
  CHECK(largest_error(elu, std::expm1, -1, -1e-9, 1e-30) < tolerance);
  CHECK(value(elu, Real(-1e-8)) == Real(std::expm1(-1e-8)));
  CHECK(value(elu, -infinity) == -1);
}

TEST_CASE("elementwise: the bits are the same for 1, 2 and 4 threads") {
  check_same_bits_for_any_thread_count([] {
    const Tensor x = random_tensor({333, 301}, 1), y = random_tensor({333, 301}, 2),
                 row = random_tensor({301}, 3);
    const Tensor column = random_tensor({333, 1}, 4);
    Tensor sum = x * Real(1);
    add_in_place(sum, y);
    Tensor scaled = x * Real(1);
    scale_in_place(scaled, Real(1.1));
    return std::vector<Tensor>{x + y,
                               x * row,
                               x / column,
                               exp(x),
                               tanh(x),
                               gelu(x),
                               slope(gelu_operation, x),
                               sigmoid(x),
                               where(relu(x), x, y),
                               sum,
                               scaled};
  });
}
