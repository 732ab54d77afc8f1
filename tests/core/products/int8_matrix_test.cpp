#include <gradual/core/products/int8_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gradual/core/products/flop_count.hpp>
#include <gradual/core/reference/products.hpp>

#include "support/random_cases.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

constexpr Real no_number = std::numeric_limits<Real>::quiet_NaN();

QuantizedRows quantized(const Tensor& x) { return quantize_rows(x.dim(0), x.dim(1), {x.data(), x.dim(1)}); }

// A·Bᵀ in 8 bits for A [m, k] and B [n, k].
Tensor int8_product(const Tensor& a, const Tensor& b) {
  Tensor c = Tensor::full({a.dim(0), b.dim(0)}, no_number);
  parallel_multiply(a.dim(0), {a.data(), a.dim(1)}, Int8Matrix::of_weight(b), {c.unguarded_data(), b.dim(0)});
  return c;
}

// Rows of whole numbers -127 … 127, the largest among them, times a power of two for each row: 8 bits hold
// them as they are.
Tensor exact_rows(RandomCase& random, Index rows, Index columns) {
  Tensor x({rows, columns});
  Real* to = x.unguarded_data();
  for (Index i = 0; i < rows; ++i) {
    const auto unit = static_cast<Real>(std::ldexp(1.0, static_cast<int>(random.from(-9, 9))));
    for (Index p = 0; p < columns; ++p)
      to[i * columns + p] = unit * static_cast<Real>(random.from(-127, 127));
    if (columns > 0) to[i * columns + random.from(0, columns - 1)] = unit * (random.chance() ? 127 : -127);
  }
  return x;
}

struct ProductSizes {
  Index m, n, k;
};

ProductSizes random_sizes(RandomCase& random) {
  const Index most = random.chance(0.1) ? 150 : 40;
  return {random.size(most), random.size(most), random.size(most)};
}

}  // namespace

TEST_CASE("quantized rows: by hand, with ties to the even number and the largest at 127") {
  const Tensor x({2, 4}, {-254, 3, 5, 100, 0, 0, 0, 0});  // sᵢ = 2: -127, 1.5, 2.5, 50
  const QuantizedRows q = quantized(x);
  CHECK(q.scales.to_vector() == std::vector<Real>{2, 0});
  CHECK(std::vector<int>(q.row(0), q.row(0) + 4) == std::vector<int>{-127, 2, 2, 50});
  CHECK(std::vector<int>(q.row(1), q.row(1) + 4) == std::vector<int>{0, 0, 0, 0});
}

TEST_CASE("quantized rows: no number is off by more than half a step, in either order in memory") {
  for_random_cases(1000, [](RandomCase& random) {
    const Index rows = random.size(20), columns = random.size(90);
    const bool transposed = random.chance();
    const Tensor x = random.numbers(transposed ? Shape{columns, rows} : Shape{rows, columns});
    const QuantizedRows q = quantize_rows(rows, columns, {x.data(), x.dim(1), transposed});
    bool near = true;
    for (Index i = 0; i < rows; ++i) {
      for (Index p = 0; p < columns; ++p) {
        const double value = static_cast<double>(x.data()[transposed ? p * rows + i : i * columns + p]);
        const double step = static_cast<double>(q.scales.data()[i]);
        near = near && std::abs(value - step * q.row(i)[p]) <= step * (0.5 + 1e-4);
      }
    }
    CHECK(near);
  });
}

TEST_CASE("quantized rows: what is not finite makes a row NaN, and the smallest numbers count as zeros") {
  const Real tiny = std::numeric_limits<Real>::min();
  const QuantizedRows q =
      quantized(Tensor({4, 3}, {1, no_number, 2, 1, -infinity, 2, tiny, -tiny, 0, 1, 127, -127}));
  CHECK(std::isnan(q.scales.data()[0]));
  CHECK(std::isnan(q.scales.data()[1]));
  CHECK(q.scales.data()[2] == 0);
  CHECK(q.scales.data()[3] == 1);
  for (Index i = 0; i < 3; ++i) CHECK(std::vector<int>(q.row(i), q.row(i) + 3) == std::vector<int>{0, 0, 0});
}

TEST_CASE("int8 matrix: the fast product equals the plain one to the last bit for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    const ProductSizes s = random_sizes(random);
    const Tensor a = random.numbers({s.m, s.k}), b = random.numbers({s.n, s.k});
    const Tensor plain = reference::int8_matmul(quantized(a), quantized(b));
    CHECK(int8_product(a, b).to_vector() == plain.to_vector());
  });
}

TEST_CASE("int8 matrix: numbers that 8 bits hold give their exact product for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    const ProductSizes s = random_sizes(random);
    const Tensor a = exact_rows(random, s.m, s.k), b = exact_rows(random, s.n, s.k);
    const Tensor exact = reference::tensor_of(
        reference::matmul(reference::array_of(a), xt::transpose(reference::array_of(b))));
    CHECK(int8_product(a, b).to_vector() == exact.to_vector());
  });
}

TEST_CASE("int8 matrix: the error stays below its bound in closed form for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    const ProductSizes s = random_sizes(random);
    const Tensor a = random.numbers({s.m, s.k}), b = random.numbers({s.n, s.k});
    const QuantizedRows rows = quantized(a), columns = quantized(b);
    const Tensor c = int8_product(a, b);
    double farthest = 0;  // in bounds
    for (Index i = 0; i < s.m; ++i) {
      for (Index j = 0; j < s.n; ++j) {
        const double step = rows.scales.data()[i], other = columns.scales.data()[j];
        double exact = 0, bound = static_cast<double>(s.k) * step * other / 4;
        for (Index p = 0; p < s.k; ++p) {
          const double x = a.data()[i * s.k + p], w = b.data()[j * s.k + p];
          exact += x * w;
          bound += (step * std::abs(w) + other * std::abs(x)) / 2;
        }
        const double error = std::abs(exact - static_cast<double>(c.data()[i * s.n + j]));
        farthest = std::max(farthest, error / std::max(bound, 1e-30));
      }
    }
    CHECK(farthest <= 1 + 1e-4);
  });
}

TEST_CASE("int8 matrix: products are scaled, added to or given a bias as those of a packed matrix") {
  for_random_cases(200, [](RandomCase& random) {
    const ProductSizes s = random_sizes(random);
    const bool turned = random.chance();
    const Tensor a = random.numbers(turned ? Shape{s.k, s.m} : Shape{s.m, s.k}),
                 b = random.numbers({s.k, s.n}), before = random.numbers({s.m, s.n}),
                 bias = random.numbers({s.n});
    const MatrixView left{a.data(), a.dim(1), turned};
    const Int8Matrix right(s.k, s.n, {b.data(), s.n});
    const reference::Array product = reference::array_of(reference::int8_matmul(
        quantize_rows(s.m, s.k, left), quantize_rows(s.n, s.k, {b.data(), s.n, true})));
    Tensor c = before;
    parallel_multiply(s.m, left, right, {c.mutable_data(), s.n, 2, Real(-0.5)});
    CHECK(departure(c, 2 * product - 0.5 * reference::array_of(before), 8, 8) == "");
    parallel_multiply(s.m, left, right, {c.mutable_data(), s.n, 1, 0, bias.data()});
    CHECK(departure(c, product + reference::array_of(bias), 8, 8) == "");
  });
}

TEST_CASE("int8 matrix: what is not finite makes NaN of its row or column, and of nothing else") {
  Tensor a = Tensor::ones({3, 5}), b = Tensor::ones({40, 5});
  a.mutable_data()[1 * 5 + 2] = infinity;
  b.mutable_data()[33 * 5 + 4] = no_number;
  const Tensor c = int8_product(a, b);
  bool right = true;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 40; ++j) right = right && std::isnan(c({i, j})) == (i == 1 || j == 33);
  CHECK(right);
}

TEST_CASE("int8 matrix: the largest sums fit, and what lies beside the result is not touched") {
  const Index k = 133144;  // 127 · 127 · k is just below 2³¹
  const Tensor a = Tensor::full({1, k}, 127), b = Tensor::full({2, k}, -127);
  Tensor c = Tensor::zeros({1, 4});
  parallel_multiply(1, {a.data(), k}, Int8Matrix::of_weight(b), {c.mutable_data() + 1, 4});
  const auto sum = static_cast<Real>(-127.0 * 127 * 133144);
  CHECK(c.to_vector() == std::vector<Real>{0, sum, sum, 0});
}

TEST_CASE("int8 matrix: a product with none of its panels counts no operation") {
  const Tensor ones = Tensor::ones({3, 3});
  const Int8Matrix b = Int8Matrix::of_weight(ones);
  const Int8Rows a(3, 3, {ones.data(), 3});
  const std::int64_t before = flop_count();
  b.multiply(a, 0, 3, b.panels(), b.panels(), {nullptr, 3});
  CHECK(flop_count() == before);
}

TEST_CASE("int8 matrix: what does not fit is refused") {
  const Tensor ones = Tensor::ones({2, 3});
  CHECK_THROWS_WITH(Int8Matrix::of_weight(Tensor::ones({7})),
                    "int8 matrix: the weight must be [out, in]: it is [7]");
  CHECK_THROWS_WITH(Int8Matrix(2, 3, {nullptr, 3}),
                    "int8 matrix: there must be a matrix: it is 2 × 3, and null");
  CHECK_THROWS_WITH(
      Int8Matrix(133145, 1, {ones.data(), 1}),
      "int8 matrix: there must be at most 133144 rows, whose sums 32 bits hold: there are 133145");
  CHECK_THROWS_WITH(quantize_rows(-1, 3, {ones.data(), 3}),
                    "quantized rows: there must be a matrix: it is -1 × 3");
  const Int8Matrix b = Int8Matrix::of_weight(ones);  // 3 × 2
  const Int8Rows a(2, 2, {ones.data(), 3});
  Real c[4];
  CHECK_THROWS_WITH(b.multiply(a, 0, 2, 0, 1, {c, 2}), "int8 matrix: the factors must fit: 2 × 2 and 3 × 2");
  const Int8Rows fitting(2, 3, {ones.data(), 3});
  CHECK_THROWS_WITH(
      b.multiply(fitting, 0, 3, 0, 1, {c, 2}),
      "int8 matrix: rows and panels must be some that there are: got rows 0 to 3 of 2, panels 0 "
      "to 1 of 1");
}
