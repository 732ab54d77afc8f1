#include <gradual/core/machine.hpp>

#include <algorithm>
#include <chrono>

#include <gradual/core/products/products.hpp>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("machine: products are not measured to be far faster than one of the same size is") {
  using Clock = std::chrono::steady_clock;
  constexpr Index n = 1024;
  const Tensor ones = Tensor::ones({n, n});
  Tensor c({n, n});
  double seconds = 1e300;
  for (int i = 0; i < 3; ++i) {
    const auto start = Clock::now();
    parallel_gemm(n, n, n, 1, {ones.data(), n}, {ones.data(), n}, 0, c.mutable_data(), n);
    seconds = std::min(seconds, std::chrono::duration<double>(Clock::now() - start).count());
  }
  CHECK(c({n - 1, n - 1}) == n);
  CHECK(measure_products() < 20 * 2.0 * n * n * n / seconds);  // even where others take the cores meanwhile
}
