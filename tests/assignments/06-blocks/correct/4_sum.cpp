#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

Var Residual::operator()(const Var& x, const std::function<Var(const Var&)>& part) const {
  if (place_ == NormPlace::after) return norm(x + dropout_(part(x)));
  return x + dropout_(part(norm(x)));
}

}  // namespace gradual
