#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

Var Residual::operator()(const Var& x, const std::function<Var(const Var&)>& part) const {
  Var inside = x;
  if (place_ != NormPlace::after) inside = norm(inside);
  inside = part(inside);
  const DropoutMask mask = dropout_.next_mask();
  Var sum = dropout(inside, mask) + x;
  if (place_ == NormPlace::after) sum = norm(sum);
  return sum;
}

}  // namespace gradual
