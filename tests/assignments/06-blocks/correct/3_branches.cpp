#include <gradual/nn/layers/layers.hpp>

namespace gradual {

DropoutMask Dropout::next_mask() const {
  const bool is_training = mode_.training && !EvaluationScope::active();
  if (is_training && p_ > 0) {
    const std::uint64_t drawn = random_.next_u64();
    return DropoutMask(p_, static_cast<std::uint32_t>(drawn & 0xFFFFFFFFU));
  }
  return DropoutMask();
}

}  // namespace gradual
