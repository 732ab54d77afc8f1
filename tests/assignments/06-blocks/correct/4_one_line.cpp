#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

Var Residual::operator()(const Var& x, const std::function<Var(const Var&)>& part) const {
  const bool first = place_ == NormPlace::before;
  const Var y = add_dropped(x, part(first ? norm(x) : x), dropout_.next_mask());
  return first ? y : norm(y);
}

}  // namespace gradual
