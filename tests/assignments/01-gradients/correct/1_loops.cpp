#include <cmath>

#include <gradual/core/elements/functions.hpp>

namespace gradual {

Operation tanh_operation(const Tensor& x) {
  Tensor y = x;
  for (Real *v = y.mutable_data(), *end = v + y.size(); v != end; ++v) *v = std::tanh(*v);
  return {"tanh", y, [y](const Tensor& dy) {
            Tensor dx = dy;
            Real* to = dx.mutable_data();
            for (Index i = 0; i < y.size(); ++i) to[i] *= 1 - y.data()[i] * y.data()[i];
            return dx;
          }};
}

}  // namespace gradual
