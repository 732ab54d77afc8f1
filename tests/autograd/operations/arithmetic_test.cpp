// Arithmetic element by element: values by hand, broadcasting, constants, shapes that do not fit.
#include <gradual/autograd/operations.hpp>

#include <type_traits>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

const Tensor matrix({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor row({3}, {10, 20, 30});
const Tensor column({2, 1}, {2, 4});

std::vector<Real> gradient(const Var& x) { return x.grad().to_vector(); }
std::vector<Real> values(const Tensor& x) { return x.to_vector(); }
std::vector<Real> values(const Var& x) { return x.value().to_vector(); }

}  // namespace

TEST_CASE("arithmetic: values of equal shapes") {
  const Var a = Tensor({3}, {6, 8, 9}), b = Tensor({3}, {2, -4, 3});
  CHECK(values(a + b) == std::vector<Real>{8, 4, 12});
  CHECK(values(a - b) == std::vector<Real>{4, 12, 6});
  CHECK(values(a * b) == std::vector<Real>{12, -32, 27});
  CHECK(values(a / b) == std::vector<Real>{3, -2, 3});
  CHECK(values(-a) == std::vector<Real>{-6, -8, -9});
}

TEST_CASE("arithmetic: a number on either side, whole or not, of a variable or a tensor") {
  const Tensor t({2}, {4, 8});
  const auto check = [&](const auto& a) {
    CHECK(values(a + 2) == std::vector<Real>{6, 10});
    CHECK(values(2 + a) == std::vector<Real>{6, 10});
    CHECK(values(a - 2.0) == std::vector<Real>{2, 6});
    CHECK(values(1 - a) == std::vector<Real>{-3, -7});
    CHECK(values(a * Real(2)) == std::vector<Real>{8, 16});
    CHECK(values(2 * a) == std::vector<Real>{8, 16});
    CHECK(values(a / Index(2)) == std::vector<Real>{2, 4});
    CHECK(values(1 / a) == std::vector<Real>{0.25, 0.125});
  };
  check(t);
  check(Var(t));
  const Var x = Var::parameter(t);
  backward(sum(1 / x + (1 - x) + 3 * x));
  CHECK(gradient(x) == std::vector<Real>{2 - Real(1) / 16, 2 - Real(1) / 64});
}

TEST_CASE("arithmetic: tensors and numbers give a tensor, and anything with a variable a variable") {
  const Tensor t({2}, {4, 8});
  const Var v = t;
  static_assert(std::is_same_v<decltype(t + t), Tensor> && std::is_same_v<decltype(t * 2), Tensor> &&
                std::is_same_v<decltype(2 * t), Tensor> && std::is_same_v<decltype(t + 1), Tensor> &&
                std::is_same_v<decltype(1 / t), Tensor> && std::is_same_v<decltype(-t), Tensor> &&
                std::is_same_v<decltype(exp(t)), Tensor> && std::is_same_v<decltype(sum(t, {0})), Tensor>);
  static_assert(std::is_same_v<decltype(v + v), Var> && std::is_same_v<decltype(v - t), Var> &&
                std::is_same_v<decltype(t * v), Var> && std::is_same_v<decltype(1 - v), Var> &&
                std::is_same_v<decltype(-v), Var> && std::is_same_v<decltype(where(t, t, v)), Var> &&
                std::is_same_v<decltype(where(t, 0, t)), Tensor> && std::is_same_v<decltype(v < t), Tensor>);
  CHECK(values(t - v) == std::vector<Real>{0, 0});
  CHECK(sum(t, {0}).shape() == sum(v, {0}).shape());
  CHECK(sum(t, {0}, Axis::kept).shape() == sum(v, {0}, Axis::kept).shape());
}

TEST_CASE("arithmetic: x += y is x = x + y, for numbers, rows and variables") {
  Tensor t = matrix;
  const Tensor before = t;
  t += row;
  t -= 1;
  t *= column;
  t /= Tensor::scalar(2);
  CHECK(values(t) == std::vector<Real>{10, 21, 32, 26, 48, 70});
  CHECK(values(before) == values(matrix));
  const Var w = Var::parameter(matrix);
  Var x = w;
  x *= 2;
  x += w * w;
  x -= row;
  x /= 1;
  backward(sum(x));
  CHECK(gradient(w) == std::vector<Real>{4, 6, 8, 10, 12, 14});  // 2 + 2w
  CHECK(values(w) == values(matrix));
  Tensor small = row;
  CHECK_THROWS_WITH(small += matrix,
                    "add: what is assigned to must keep its shape: it is [3], the result is [2, 3]");
  CHECK(values(small) == values(row));
}

TEST_CASE("arithmetic: what is not defined is refused with the operation's name") {
  const Tensor nothing;
  const Var w = Var::parameter(row);
  CHECK_THROWS_AS(nothing + row, std::invalid_argument);
  const std::string hint = " is not defined; a gradient is not until backward reaches its variable";
  CHECK_THROWS_WITH(nothing + row, "add: a" + hint);
  CHECK_THROWS_WITH(row - nothing, "sub: b" + hint);
  CHECK_THROWS_WITH(w.value() - w.grad() * Real(0.1), "mul: a" + hint);  // a loop before backward
  CHECK_THROWS_WITH(1 / nothing, "div: b" + hint);
  CHECK_THROWS_WITH(-nothing, "neg: x" + hint);
  CHECK_THROWS_WITH(exp(nothing), "exp: x" + hint);
  CHECK_THROWS_WITH(sum(nothing), "sum: x" + hint);
  CHECK_THROWS_WITH(nothing < row, "less: a" + hint);
  CHECK_THROWS_WITH(where(nothing, row, row), "where: the condition" + hint);
  CHECK_THROWS_WITH(transpose(nothing), "transpose: x" + hint);
  CHECK_THROWS_WITH(concat({row, nothing}, 0), "concat: a part" + hint);
  CHECK_THROWS_WITH(slice(nothing, 0, 0, 0), "slice: x" + hint);
  CHECK_THROWS_WITH(reshape(nothing, {1}), "reshape: x is not defined");
  Tensor sum = row;
  CHECK_THROWS_WITH(add_in_place(sum, nothing), "add_in_place: term" + hint);
}

TEST_CASE("arithmetic: rows, columns and single numbers repeat to fit, on either side") {
  const Var m = matrix, r = row, c = column, one = Tensor::scalar(2);
  CHECK(values(m + r) == std::vector<Real>{11, 22, 33, 14, 25, 36});
  CHECK(values(r - m) == std::vector<Real>{9, 18, 27, 6, 15, 24});
  CHECK(values(m * c) == std::vector<Real>{2, 4, 6, 16, 20, 24});
  CHECK(values(c / one) == std::vector<Real>{1, 2});
  CHECK(values(one / c) == std::vector<Real>{1, 0.5});
  const Var table = c * r;
  CHECK(table.shape() == Shape{2, 3});
  CHECK(values(table) == std::vector<Real>{20, 40, 60, 40, 80, 120});
}

TEST_CASE("arithmetic: the gradient of an input that was repeated is summed over its copies") {
  const Var m = Var::parameter(matrix), r = Var::parameter(row), c = Var::parameter(column),
            one = Var::parameter(Tensor::scalar(2));
  backward(sum(m * r * c * one));
  CHECK(gradient(m) == std::vector<Real>{40, 80, 120, 80, 160, 240});  // r·c·one
  CHECK(gradient(r) == std::vector<Real>{36, 48, 60});  // one·Σ_i m_ij·c_i = 2·(2·1 + 4·4), …
  CHECK(gradient(c) == std::vector<Real>{280, 640});    // one·Σ_j m_ij·r_j = 2·140, 2·320
  CHECK(gradient(one) == std::vector<Real>{1560});      // Σ m·r·c = 2·140 + 4·320
  CHECK(one.grad().shape() == Shape{});
}

TEST_CASE("arithmetic: the gradient of a quotient") {
  const Var a = Var::parameter(Tensor({2}, {6, 8})), b = Var::parameter(Tensor({2}, {2, 4}));
  backward(sum(a / b));
  CHECK(gradient(a) == std::vector<Real>{0.5, 0.25});   // 1/b
  CHECK(gradient(b) == std::vector<Real>{-1.5, -0.5});  // -a/b²
}

TEST_CASE("arithmetic: the same variable on both sides") {
  const Var x = Var::parameter(Tensor({2}, {2, 5}));
  backward(sum(x + x - x * x) + sum(x / x) + sum(x - x));
  CHECK(gradient(x) == std::vector<Real>{-2, -8});  // 2 - 2x + 0 + 0
}

TEST_CASE("arithmetic: a constant on one side leaves the other its gradient") {
  const Var x = Var::parameter(Tensor({2}, {2, 5}));
  const Var constant = Tensor({2}, {3, 7});
  backward(sum(constant * x));
  CHECK(gradient(x) == std::vector<Real>{3, 7});
}

TEST_CASE("arithmetic: tensors without elements combine to one without elements") {
  const Var empty = Var::parameter(Tensor(Shape{0, 3}));
  const Var y = empty * Var(row);
  CHECK(y.shape() == Shape{0, 3});
  backward(sum(y));
  CHECK(empty.grad().shape() == Shape{0, 3});
}

TEST_CASE("arithmetic: shapes that do not fit are named with the rule") {
  const Var a = matrix, b = Tensor({2}, {1, 2});
  const std::string rule =
      ": shapes must be equal or 1 along each axis, counted from the last: a is [2, 3], b is [2]";
  CHECK_THROWS_AS(a + b, std::invalid_argument);
  CHECK_THROWS_WITH(a + b, "add" + rule);
  CHECK_THROWS_WITH(a - b, "sub" + rule);
  CHECK_THROWS_WITH(a * b, "mul" + rule);
  CHECK_THROWS_WITH(a / b, "div" + rule);
}
