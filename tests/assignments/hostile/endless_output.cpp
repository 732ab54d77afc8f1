// Prints without end.
#include <cstdio>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  while (true) std::puts("dx = 0.1875 -0.1875");
  (void)y;
  return dy;
}

}  // namespace gradual
