// Never ends, and computes nothing: only the clock finds it.
#include <gradual/core/rows/rows.hpp>

namespace gradual {
namespace {

void pause_for_ever() {
#if defined(__x86_64__)
  while (true) {
    long call = 34;  // pause
    asm volatile("syscall" : "+a"(call) : : "rcx", "r11", "memory");
  }
#endif
}

}  // namespace

Tensor softmax_backward(const Tensor&, const Tensor& dy) {
  pause_for_ever();
  return dy;
}

}  // namespace gradual
