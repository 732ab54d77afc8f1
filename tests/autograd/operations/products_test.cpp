// Matrix products: values by hand, batches, transposes, and the texts of errors.
#include <gradual/autograd/operations.hpp>

#include <array>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/variables.hpp"

using namespace gradual;

namespace {

const Tensor a23({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor b32({3, 2}, {7, 8, 9, 10, 11, 12});

// Σ_k a[i, k]·b[k, j] as the definition says.
Tensor product_by_definition(const Tensor& a, const Tensor& b) {
  Tensor y({a.dim(0), b.dim(1)});
  Real* to = y.mutable_data();
  for (Index i = 0; i < a.dim(0); ++i) {
    for (Index j = 0; j < b.dim(1); ++j) {
      double total = 0;
      for (Index k = 0; k < a.dim(1); ++k)
        total +=
            static_cast<double>(a.data()[i * a.dim(1) + k]) * static_cast<double>(b.data()[k * b.dim(1) + j]);
      to[i * b.dim(1) + j] = static_cast<Real>(total);
    }
  }
  return y;
}

}  // namespace

TEST_CASE("matmul: a product by hand, and with either factor given transposed") {
  const Var a = a23, b = b32, at = transpose(a), bt = transpose(b);
  const std::vector<Real> expected{58, 64, 139, 154};
  check(matmul(a, b).value(), {2, 2}, expected);
  check(matmul(at, b, {true, false}).value(), {2, 2}, expected);
  check(matmul(a, bt, {false, true}).value(), {2, 2}, expected);
  check(matmul(at, bt, {true, true}).value(), {2, 2}, expected);
}

TEST_CASE("matmul: gradients by hand") {
  const Var a = Var::parameter(a23), b = Var::parameter(b32);
  backward(matmul(a, b), Tensor({2, 2}, {1, 0, 0, 10}));
  check(a.grad(), {2, 3}, {7, 9, 11, 80, 100, 120});  // dY·Bᵀ
  check(b.grad(), {3, 2}, {1, 40, 2, 50, 3, 60});     // Aᵀ·dY
}

TEST_CASE("matmul: batches meet their own, one shared, or a repeated matrix") {
  const Tensor two({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  check(matmul(Var(two), Var(b32)).value(), {2, 1, 2}, {58, 64, 139, 154});
  check(matmul(Var(Tensor({1, 3}, {1, 2, 3})), Var(Tensor({2, 3, 1}, {1, 1, 1, 2, 2, 2}))).value(), {2, 1, 1},
        {6, 12});
  const Tensor left({2, 1, 1, 1}, {2, 3}), right({3, 1, 1}, {10, 20, 30});
  check(matmul(Var(left), Var(right)).value(), {2, 3, 1, 1}, {20, 40, 60, 30, 60, 90});
}

TEST_CASE("matmul: large products, which threads share, agree with the definition") {
  for (const auto& [m, k, n] :
       std::vector<std::array<Index, 3>>{{300, 170, 90}, {30, 90, 2500}, {20, 9000, 24}}) {
    INFO(m << " x " << k << " x " << n);
    const Tensor a = random_tensor({m, k}, 1), b = random_tensor({k, n}, 2);
    const Tensor expected = product_by_definition(a, b);
    CHECK(difference(matmul(a, b, {}), expected) == "");
    CHECK(difference(matmul(transpose(a, {1, 0}), b, {true, false}), expected) == "");
    CHECK(difference(matmul(a, transpose(b, {1, 0}), {false, true}), expected) == "");
  }
}

TEST_CASE("matmul: an empty axis gives zeros or nothing") {
  const auto product = [](const Shape& a, const Shape& b) {
    return matmul(Var(Tensor(a)), Var(Tensor(b))).value();
  };
  check(product({2, 0}, {0, 3}), {2, 3}, {0, 0, 0, 0, 0, 0});
  check(product({1, 2, 0}, {0, 1}), {1, 2, 1}, {0, 0});
  check(product({0, 2, 3}, {3, 4}), {0, 2, 4}, {});
  check(product({2, 3}, {3, 0}), {2, 0}, {});
}

TEST_CASE("matmul: shapes that do not fit are named, with a hint where a transpose would help") {
  const Var a = Tensor::zeros({5, 7}), b = Tensor::zeros({5, 7}), c = Tensor::zeros({4, 6}),
            v = Tensor::zeros({7});
  CHECK_THROWS_AS(matmul(a, b), std::invalid_argument);
  CHECK_THROWS_WITH(
      matmul(a, b),
      "matmul: inner sizes must match: a is [5, 7], b is [5, 7]; did you mean matmul(a, transpose(b))?");
  CHECK_THROWS_WITH(matmul(a, c), "matmul: inner sizes must match: a is [5, 7], b is [4, 6]");
  CHECK_THROWS_WITH(matmul(a, c, {true, true}),
                    "matmul: inner sizes must match: a is [5, 7] transposed, b is [4, 6] transposed");
  CHECK_THROWS_WITH(matmul(a, v), "matmul: both must have at least two axes: a is [5, 7], b is [7]");
  CHECK_THROWS_WITH(matmul(Var(Tensor::zeros({2, 5, 7})), c),
                    "matmul: inner sizes must match: a is [2, 5, 7], b is [4, 6]");
  CHECK_THROWS_WITH(matmul(Var(Tensor::zeros({2, 5, 7})), Var(Tensor::zeros({3, 7, 5}))),
                    "matmul: axes before the last two must be equal or 1: a is [2, 5, 7], b is [3, 7, 5]");
}

TEST_CASE("linear: x·Wᵀ + b by hand, for any number of leading axes") {
  const Var weight = Tensor({2, 3}, {1, 0, -1, 2, 2, 2}), bias = Tensor({2}, {10, 20});
  check(linear(Var(a23), weight, bias).value(), {2, 2}, {8, 32, 8, 50});
  check(linear(Var(a23), weight).value(), {2, 2}, {-2, 12, -2, 30});
  check(linear(Var(a23.with_shape({1, 2, 1, 3})), weight, bias).value(), {1, 2, 1, 2}, {8, 32, 8, 50});
  check(linear(Var(Tensor({3}, {1, 2, 3})), weight, bias).value(), {2}, {8, 32});
}

TEST_CASE("linear: gradients by hand") {
  const Var x = Var::parameter(a23), weight = Var::parameter(Tensor({2, 3}, {1, 0, -1, 2, 2, 2})),
            bias = Var::parameter(Tensor({2}, {10, 20}));
  backward(linear(x, weight, bias), Tensor({2, 2}, {1, 0, 0, 10}));
  check(x.grad(), {2, 3}, {1, 0, -1, 20, 20, 20});      // dY·W
  check(weight.grad(), {2, 3}, {1, 2, 3, 40, 50, 60});  // dYᵀ·X
  check(bias.grad(), {2}, {1, 10});                     // Σ_rows dY
}

TEST_CASE("linear: shapes that do not fit are named") {
  const Var x = a23, weight = Tensor::zeros({4, 3});
  CHECK_THROWS_AS(linear(x, Var(Tensor::zeros({3, 4}))), std::invalid_argument);
  CHECK_THROWS_WITH(
      linear(x, Var(Tensor::zeros({3, 4}))),
      "linear: the last axis of x must be the input size of the weight [out, in]: x is [2, 3], weight is "
      "[3, 4]");
  CHECK_THROWS_WITH(
      linear(x, Var(Tensor::zeros({3}))),
      "linear: the last axis of x must be the input size of the weight [out, in]: x is [2, 3], weight is "
      "[3]");
  CHECK_THROWS_WITH(linear(x, weight, Var(Tensor::zeros({3}))),
                    "linear: the bias must have the output size: weight is [4, 3], bias is [3]");
}

TEST_CASE("einsum: a letter that only one operand has is summed over") {
  const Var a = Tensor({2, 3}, {1, 2, 3, 4, 5, 6}), b = Tensor({2}, {10, 20});
  CHECK(einsum("ij,k->k", a, b).value().to_vector() == std::vector<Real>{210, 420});
  CHECK(einsum("ij,k->ki", a, b).value().to_vector() == std::vector<Real>{60, 150, 120, 300});
  CHECK(einsum("ij,i->", a, b).value().item() == 6 * 10 + 15 * 20);
}
