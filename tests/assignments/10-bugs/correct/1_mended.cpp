// The one line mended.
#include <algorithm>
#include <cmath>

#include <gradual/nn/training/schedule.hpp>

namespace gradual {

double Schedule::operator()(Index step) const {
  const auto now = static_cast<double>(step), rise = static_cast<double>(std::max<Index>(warmup, 1));
  if (now < rise) return peak * now / rise;
  const double left = static_cast<double>(std::max<Index>(total - warmup, 1));
  const double q = std::min(static_cast<double>(step - warmup) / left, 1.0);
  switch (decay) {
    case Decay::constant:
      return peak;
    case Decay::inverse_square_root:
      return peak * std::sqrt(rise / now);
    case Decay::linear:
      return peak * (1 - q);
    case Decay::cosine:
      return peak * (1 + std::cos(3.14159265358979324 * q)) / 2;
  }
  return peak;
}

}  // namespace gradual
