// Never ends, and does not compute: only the clock finds it.
#include <thread>
#include <chrono>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  std::this_thread::sleep_for(std::chrono::hours(1));
  (void)y;
  return dy;
}

}  // namespace gradual
