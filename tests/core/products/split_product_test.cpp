#include <gradual/core/products/products.hpp>
#include <gradual/core/products/split_product.hpp>

#include <array>
#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

// Switches the unit for as long as it lives.
class MatrixUnit {
 public:
  explicit MatrixUnit(bool on) : before_(use_matrix_unit(on)) {}
  ~MatrixUnit() { use_matrix_unit(before_); }

 private:
  bool before_;
};

double at(const MatrixView& x, Index i, Index j) {
  return static_cast<double>(x.data[x.transposed ? j * x.stride + i : i * x.stride + j]);
}

// The largest error of a product, in units of 2⁻²⁴·Σ|a|·|b|: what rounding the factors to floats may cost.
double largest_error(Index m, Index n, Index k, double alpha, const MatrixView& a, const MatrixView& b,
                     double beta, const Tensor& before, const Tensor& c) {
  double largest = 0;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      double sum = beta * static_cast<double>(before({i, j})), size = std::abs(sum);
      for (Index p = 0; p < k; ++p) {
        sum += alpha * at(a, i, p) * at(b, p, j);
        size += std::abs(alpha * at(a, i, p) * at(b, p, j));
      }
      const double error = std::abs(static_cast<double>(c({i, j})) - sum);
      largest = std::max(largest, error / (std::ldexp(1.0, -24) * size));
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("split product: exact to what a float holds, for every transpose, factor, edge and stride") {
  const MatrixUnit unit(true);
  if (!has_matrix_unit()) return;
  for (const auto& [m, n, k] : {std::array<Index, 3>{32, 32, 32},
                                {1, 1, 1},
                                {16, 48, 64},
                                {33, 17, 31},
                                {45, 77, 83},
                                {300, 40, 130},
                                {40, 1100, 20},
                                {31, 29, 300}}) {
    for (const bool transpose_a : {false, true}) {
      for (const bool transpose_b : {false, true}) {
        for (const auto& [alpha, beta] : {std::pair<Real, Real>{1, 0}, {Real(0.5), 1}, {-2, Real(0.25)}}) {
          INFO("m " << m << ", n " << n << ", k " << k << ", alpha " << alpha << ", beta " << beta
                    << ", transposed " << transpose_a << transpose_b);
          const Tensor a = random_tensor(transpose_a ? Shape{k, m + 3} : Shape{m, k + 3}, 1);
          const Tensor b = random_tensor(transpose_b ? Shape{n, k + 3} : Shape{k, n + 3}, 2);
          const MatrixView a_view{a.data(), a.dim(1), transpose_a}, b_view{b.data(), b.dim(1), transpose_b};
          const Tensor before = random_tensor({m, n + 3}, 3);
          Tensor c = before;
          split_product(m, n, k, a_view, b_view, {c.mutable_data(), c.dim(1), alpha, beta});
          // Two bfloat16 parts in place of three would miss by about 200.
          CHECK(largest_error(m, n, k, static_cast<double>(alpha), a_view, b_view, static_cast<double>(beta),
                              before, c) < 16);
          bool rest_is_untouched = true;
          for (Index i = 0; i < m; ++i)
            for (Index j = n; j < n + 3; ++j)
              rest_is_untouched = rest_is_untouched && c({i, j}) == before({i, j});
          CHECK(rest_is_untouched);
        }
      }
    }
  }
}

TEST_CASE("split product: a bias is added to each row, whatever was there") {
  const MatrixUnit unit(true);
  if (!has_matrix_unit()) return;
  const Tensor a = random_tensor({45, 150}, 1), b = random_tensor({150, 37}, 2),
               bias = random_tensor({37}, 3);
  Tensor c = Tensor::full({45, 37}, 99);
  split_product(45, 37, 150, {a.data(), 150}, {b.data(), 37}, {c.mutable_data(), 37, 2, 0, bias.data()});
  Tensor rows({45, 37});
  for (Index i = 0; i < 45; ++i) std::copy(bias.data(), bias.data() + 37, rows.mutable_data() + i * 37);
  CHECK(largest_error(45, 37, 150, 2, {a.data(), 150}, {b.data(), 37}, 1, rows, c) < 16);
}

TEST_CASE("split product: whole numbers of up to 24 binary digits are multiplied exactly") {
  const MatrixUnit unit(true);
  if (!has_matrix_unit()) return;
  const Real large = 16777215, odd = 8388609;  // 2²⁴ - 1 and 2²³ + 1
  Tensor a = Tensor::zeros({32, 32}), one = Tensor::zeros({32, 32}), c({32, 32});
  for (Index i = 0; i < 32; ++i) {
    a.mutable_data()[i * 33] = i % 2 == 0 ? large : -odd;
    one.mutable_data()[i * 33] = 1;
  }
  split_product(32, 32, 32, {a.data(), 32}, {one.data(), 32}, {c.mutable_data(), 32});
  CHECK(same_bits(c, a));
  split_product(32, 32, 32, {one.data(), 32}, {a.data(), 32, true}, {c.mutable_data(), 32});
  CHECK(same_bits(c, a));
}

TEST_CASE("split product: the largest floats, which no shorter number is near, are multiplied exactly") {
  const MatrixUnit unit(true);
  if (!has_matrix_unit()) return;
  const Real most = std::numeric_limits<Real>::max();
  Tensor a = Tensor::zeros({32, 32}), one = Tensor::zeros({32, 32}), c({32, 32});
  for (Index i = 0; i < 32; ++i) {
    a.mutable_data()[i * 33] = i % 2 == 0 ? most : -most / 256 * 255;
    one.mutable_data()[i * 33] = 1;
  }
  split_product(32, 32, 32, {a.data(), 32}, {one.data(), 32}, {c.mutable_data(), 32});
  CHECK(same_bits(c, a));
}

TEST_CASE("split product: what is infinite or no number stays noticeable") {
  const MatrixUnit unit(true);
  if (!has_matrix_unit()) return;
  for (const Real x : {std::numeric_limits<Real>::infinity(), -std::numeric_limits<Real>::infinity(),
                       std::numeric_limits<Real>::quiet_NaN()}) {
    Tensor a = Tensor::ones({32, 32}), b = Tensor::ones({32, 32}), c({32, 32});
    a.mutable_data()[5] = x;
    split_product(32, 32, 32, {a.data(), 32}, {b.data(), 32}, {c.mutable_data(), 32});
    CHECK(!std::isfinite(c({0, 0})));
    CHECK(c({1, 0}) == 32);
  }
}

TEST_CASE("split product: large products take it and small ones do not; without the unit none does") {
  {
    const MatrixUnit off(false);
    CHECK(!has_matrix_unit());
    CHECK(!prefers_splitting(1024, 1024, 1024));
    Tensor a = Tensor::ones({1, 1}), c({1, 1});
    CHECK_THROWS_WITH(split_product(1, 1, 1, {a.data(), 1}, {a.data(), 1}, {c.mutable_data(), 1}),
                      "split_product: there must be a matrix unit: there is none, or it is not used");
  }
  const MatrixUnit unit(true);
  if (!has_matrix_unit()) return;
  CHECK(prefers_splitting(1024, 1024, 1024));
  CHECK(!prefers_splitting(64, 64, 64));
  CHECK(!prefers_splitting(100000, 100000, 8));
  const Tensor a = random_tensor({200, 300}, 1), b = random_tensor({300, 150}, 2);
  Tensor by_gemm({200, 150}), split({200, 150}), by_blas({200, 150});
  gemm(200, 150, 300, 1, {a.data(), 300}, {b.data(), 150}, 0, by_gemm.mutable_data(), 150);
  split_product(200, 150, 300, {a.data(), 300}, {b.data(), 150}, {split.mutable_data(), 150});
  CHECK(same_bits(by_gemm, split));
  const MatrixUnit off(false);
  gemm(200, 150, 300, 1, {a.data(), 300}, {b.data(), 150}, 0, by_blas.mutable_data(), 150);
  CHECK(difference(by_blas, split) == "");
}

TEST_CASE("split product: the bits do not depend on the number of threads") {
  const MatrixUnit unit(true);
  const Tensor a = random_tensor({700, 260}, 1), b = random_tensor({260, 330}, 2);
  check_same_bits_for_any_thread_count([&] {
    Tensor c({700, 330});
    parallel_gemm(700, 330, 260, 1, {a.data(), 260}, {b.data(), 330}, 0, c.mutable_data(), 330);
    return std::vector<Tensor>{c};
  });
}
