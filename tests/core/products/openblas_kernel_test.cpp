#include <gradual/core/products/openblas_kernel.hpp>

#include <cstdlib>
#include <string>

#include <gradual/core/products/products.hpp>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("OpenBLAS's kernel: another takes the place of the oldest alone, where the processor can do more") {
  CHECK(better_openblas_kernel("Prescott", true, true) == "SkylakeX");
  CHECK(better_openblas_kernel("Prescott", true, false) == "Haswell");
  CHECK(better_openblas_kernel("Prescott", false, false).empty());
  CHECK(better_openblas_kernel("Prescott", false, true)
            .empty());  // its instructions are no good without the others
  CHECK(better_openblas_kernel("Zen", true, true).empty());
  CHECK(better_openblas_kernel("SkylakeX", true, true).empty());
}

TEST_CASE("OpenBLAS's kernel: one that is named runs, and none for the oldest processors on one with AVX2") {
  const std::string used = blas_description();
  const std::string kernel = used.substr(used.rfind(' ') + 1);
  if (const char* const named = std::getenv("OPENBLAS_CORETYPE")) {
    if (std::string(named) == "Haswell" || std::string(named) == "Nehalem") CHECK(kernel == named);
    return;
  }
#if defined(__linux__) && defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) CHECK(kernel != "Prescott");
  CHECK(std::getenv("OPENBLAS_CORETYPE") == nullptr);  // programs that this one starts choose for themselves
#endif
  CHECK_FALSE(choose_openblas_kernel());  // nothing is left to do
}
