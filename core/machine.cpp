#include <gradual/core/machine.hpp>

#include <algorithm>
#include <chrono>
#include <vector>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/products/split_product.hpp>

namespace gradual {
namespace {

// The least seconds that some calls take.
template <class Body>
double best_seconds(int calls, Body body) {
  double best = 1e300;
  for (int i = 0; i < calls; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

double measure_products() {
  constexpr Index n = 1024;
  const bool had_unit = use_matrix_unit(false);  // OpenBLAS is what speed is measured against
  std::vector<Real> a(n * n, 1), b(n * n, 1), c(n * n);
  const double product = best_seconds(12, [&] {
    parallel_gemm(n, n, n, 1, {a.data(), n}, {b.data(), n}, 0, c.data(), n);
  });
  use_matrix_unit(had_unit);
  return 2.0 * n * n * n / product;
}

double measure_memory() {
  constexpr Index count = Index(1) << 24;  // 64 MiB of floats
  Tensor x = Tensor::ones({count});
  const Tensor y = Tensor::ones({count});
  const double addition = best_seconds(6, [&] { add_in_place(x, y); });
  return 3.0 * sizeof(Real) * count / addition;
}

MachineLimits measure_machine() { return {measure_products(), measure_memory()}; }

}  // namespace gradual
