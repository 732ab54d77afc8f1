// By what is left, and cos² of half the angle.
#include <algorithm>
#include <cmath>

#include <gradual/nn/training/schedule.hpp>

namespace gradual {

double Schedule::operator()(Index step) const {
  if (step < warmup) return peak * static_cast<double>(step) / static_cast<double>(warmup);
  if (decay == Decay::constant) return peak;
  if (decay == Decay::inverse_square_root)
    return peak / std::sqrt(static_cast<double>(step) / static_cast<double>(std::max<Index>(warmup, 1)));
  const double way = static_cast<double>(total - warmup);
  const double ahead = std::max(0.0, static_cast<double>(total - step) / way);  // 1 - q
  if (decay == Decay::linear) return peak * ahead;
  return peak * std::pow(std::cos(std::acos(-1.0) / 2 * (1 - ahead)), 2);
}

}  // namespace gradual
