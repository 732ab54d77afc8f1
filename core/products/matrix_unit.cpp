#include <gradual/core/products/matrix_unit.hpp>

#include <atomic>
#include <cstdlib>
#include <cstring>

#ifdef GRADUAL_AMX
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace gradual {
namespace {

// Linux keeps the tile registers of a process that has asked for them.
bool tiles_are_permitted() {
#ifdef GRADUAL_AMX
  constexpr long request_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return __builtin_cpu_supports("avx512bf16") && syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return false;
#endif
}

bool unit_is_wanted() {
  const char* setting = std::getenv("GRADUAL_MATRIX_UNIT");
  return setting == nullptr || std::strcmp(setting, "0") != 0;
}

bool unit_exists() {
  static const bool exists = tiles_are_permitted();
  return exists;
}

std::atomic<bool>& switched_on() {
  static std::atomic<bool> on{unit_is_wanted() && unit_exists()};
  return on;
}

}  // namespace

bool has_matrix_unit() { return switched_on().load(std::memory_order_relaxed); }
bool use_matrix_unit(bool on) { return switched_on().exchange(on && unit_exists()); }

}  // namespace gradual
