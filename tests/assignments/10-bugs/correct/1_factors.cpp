// A factor that is multiplied by the peak in the end.
#include <cmath>

#include <gradual/nn/training/schedule.hpp>

namespace gradual {
namespace {

double share(const Schedule& s, double now) {
  const double warm = s.warmup < 1 ? 1 : static_cast<double>(s.warmup);
  if (now < warm) return now / warm;
  double q = (now - static_cast<double>(s.warmup)) / static_cast<double>(s.total - s.warmup);
  if (q > 1) q = 1;
  if (s.decay == Decay::linear) return 1 - q;
  if (s.decay == Decay::cosine) return 0.5 + 0.5 * std::cos(q * 3.141592653589793);
  return s.decay == Decay::constant ? 1 : std::pow(now / warm, -0.5);
}

}  // namespace

double Schedule::operator()(Index step) const { return peak * share(*this, static_cast<double>(step)); }

}  // namespace gradual
