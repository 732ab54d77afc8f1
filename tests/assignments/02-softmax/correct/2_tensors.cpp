#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor log_softmax(const Tensor& x) {
  const Tensor above = x - max(x, {-1}, Axis::kept);
  return above - log(sum(exp(above), {-1}, Axis::kept));
}

}  // namespace gradual
