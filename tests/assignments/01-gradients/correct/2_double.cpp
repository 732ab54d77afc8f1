// In double, where e^200 is a number.
#include <cmath>

#include <gradual/core/elements/functions.hpp>

namespace gradual {

Operation softplus_operation(const Tensor& x) {
  Tensor y(x.shape());
  for (Index i = 0; i < x.size(); ++i)
    y.mutable_data()[i] = static_cast<Real>(std::log1p(std::exp(double(x.data()[i]))));
  return {"softplus", y, [x](const Tensor& dy) {
            Tensor dx(x.shape());
            for (Index i = 0; i < x.size(); ++i)
              dx.mutable_data()[i] =
                  static_cast<Real>(double(dy.data()[i]) / (1 + std::exp(-double(x.data()[i]))));
            return dx;
          }};
}

}  // namespace gradual
