// Arithmetic element by element: values by hand, broadcasting, constants, shapes that do not fit.
#include <gradual/autograd/operations.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

const Tensor matrix({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor row({3}, {10, 20, 30});
const Tensor column({2, 1}, {2, 4});

std::vector<Real> gradient(const Var& x) { return x.grad().to_vector(); }
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

TEST_CASE("arithmetic: a number on either side") {
  const Var a = Tensor({2}, {6, 8});
  CHECK(values(a * Real(2)) == std::vector<Real>{12, 16});
  CHECK(values(Real(2) * a) == std::vector<Real>{12, 16});
  CHECK(values(a / Real(2)) == std::vector<Real>{3, 4});
  CHECK(values(a + Real(2)) == std::vector<Real>{8, 10});
  CHECK(values(a - Real(2)) == std::vector<Real>{4, 6});
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
