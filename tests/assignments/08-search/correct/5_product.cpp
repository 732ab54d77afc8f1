#include <algorithm>
#include <cmath>

#include "08-search/search.hpp"

namespace gradual {

BleuScore bleu_of(const NgramCounts& counts) {
  const double c = static_cast<double>(counts.hypothesis_length);
  const double ratio = c > 0 ? static_cast<double>(counts.reference_length) / c : 0;
  const double penalty = c > 0 ? std::min(1.0, std::exp(1 - ratio)) : counts.reference_length > 0 ? 0 : 1;
  double product = 1, exponent = 0;
  std::array<double, 4> p{};
  bool has_all = counts.matched[0] > 0;
  for (std::size_t n = 0; n < 4 && has_all; ++n) {
    has_all = counts.all[n] > 0;
    if (!has_all) break;
    const double count = static_cast<double>(counts.all[n]);
    p[n] = counts.matched[n] > 0 ? static_cast<double>(counts.matched[n]) / count
                                 : std::pow(0.5, ++exponent) / count;
    product *= p[n];
    p[n] *= 100;
  }
  return {has_all ? 100 * penalty * std::pow(product, 0.25) : 0,
          p,
          penalty,
          counts.hypothesis_length,
          counts.reference_length,
          {}};
}

}  // namespace gradual
