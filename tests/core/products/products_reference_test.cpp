// Matrix products against their plain versions, over random shapes; in float and in double.
#include <gradual/core/reference/products.hpp>

#include <gradual/core/products/packed_matrix.hpp>
#include <gradual/core/products/products.hpp>

#include "support/random_cases.hpp"

using namespace gradual;
using reference::Array;
using reference::array_of;

namespace {

Array turned(const Tensor& x, bool transposed) {
  return transposed ? Array(xt::transpose(array_of(x))) : array_of(x);
}

}  // namespace

TEST_CASE("matrix products of every kind equal their plain version for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    const Index most = random.chance(0.1) ? 130 : 30;
    const Index m = random.size(random.chance(0.1) ? 260 : most), n = random.size(most),
                k = random.size(most);
    const Transposes t{random.chance(), random.chance()};
    const Tensor a = random.numbers(t.a ? Shape{k, m} : Shape{m, k}),
                 b = random.numbers(t.b ? Shape{n, k} : Shape{k, n}), bias = random.numbers({n}),
                 before = random.numbers({m, n});
    const Array plain = reference::matmul(turned(a, t.a), turned(b, t.b));
    const double units = 8, scale = 4 * std::sqrt(static_cast<double>(k)) + 6;  // 2 · 2 in each of k products
    CHECK(departure(matmul(a, b, t), plain, units, scale) == "");
    const MatrixView left{a.data(), a.dim(1), t.a}, right{b.data(), b.dim(1), t.b};
    for (const auto product : {gemm, parallel_gemm}) {
      Tensor c = before;
      product(m, n, k, Real(0.5), left, right, -2, c.mutable_data(), n, nullptr);
      CHECK(departure(c, 0.5 * plain - 2 * array_of(before), units, scale) == "");
      product(m, n, k, -1, left, right, 7, c.mutable_data(), n, bias.data());
      CHECK(departure(c, array_of(bias) - plain, units, scale) == "");
    }
    Tensor c = before;
    parallel_multiply(m, left, PackedMatrix(k, n, right), {c.mutable_data(), n, 2, 1});
    CHECK(departure(c, 2 * plain + array_of(before), units, 2 * scale) == "");
    if (!t.a && t.b)
      CHECK(departure(linear(a, b, bias), reference::linear(array_of(a), array_of(b), array_of(bias)), units,
                      scale) == "");
  });
}
