#include <gradual/nn/layers/layers.hpp>

namespace gradual {

DropoutMask Dropout::next_mask() const {
  const bool keeps_all = EvaluationScope::active() || p_ <= 0 || mode_.training == false;
  return keeps_all ? DropoutMask{} : DropoutMask{p_, static_cast<std::uint32_t>(random_.next_u64())};
}

}  // namespace gradual
