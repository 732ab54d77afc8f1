#include <gradual/core/products/openblas_kernel.hpp>

#include <cstdlib>

#include <cblas.h>

#if defined(__linux__) && defined(__x86_64__)
#define GRADUAL_CHOOSES_KERNEL
// In every OpenBLAS that has kernels for several processors. The first chooses one, by OPENBLAS_CORETYPE
// where it is set; OpenBLAS calls it when it is loaded, and it does nothing more until the second was called.
extern "C" {
__attribute__((weak)) void gotoblas_dynamic_init();
__attribute__((weak)) void gotoblas_dynamic_quit();
}
#endif

namespace gradual {

std::string better_openblas_kernel(const std::string& chosen, bool has_avx2, bool has_avx512) {
  if (chosen != "Prescott" || !has_avx2) return "";
  return has_avx512 ? "SkylakeX" : "Haswell";
}

bool choose_openblas_kernel() {
#ifdef GRADUAL_CHOOSES_KERNEL
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  if (std::getenv(variable) || !gotoblas_dynamic_init || !gotoblas_dynamic_quit) return false;
  __builtin_cpu_init();  // main may not have begun
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  const std::string better = better_openblas_kernel(openblas_get_corename(), has_avx2, has_avx512);
  if (better.empty()) return false;
  setenv(variable, better.c_str(), 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(variable);  // programs that this one starts may have another OpenBLAS
  return true;
#else
  return false;
#endif
}

}  // namespace gradual
