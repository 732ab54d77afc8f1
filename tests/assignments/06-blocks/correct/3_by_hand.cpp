// The mask's members set one by one.
#include <gradual/nn/layers/layers.hpp>

namespace gradual {

DropoutMask Dropout::next_mask() const {
  DropoutMask mask;
  if (EvaluationScope::active()) return mask;
  if (!mode_.training) return mask;
  if (p_ == 0) return mask;
  mask.key = std::uint32_t(random_.next_u64());
  mask.threshold = static_cast<std::uint32_t>(p_ * 4294967296.0);
  mask.scale = Real(1 / (1 - p_));
  return mask;
}

}  // namespace gradual
