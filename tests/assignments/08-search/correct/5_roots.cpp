#include <algorithm>
#include <cmath>

#include "08-search/search.hpp"

namespace gradual {

BleuScore bleu_of(const NgramCounts& counts) {
  BleuScore score{};
  score.hypothesis_length = counts.hypothesis_length;
  score.reference_length = counts.reference_length;
  score.brevity_penalty = 1;
  if (counts.hypothesis_length < counts.reference_length) {
    const double lack = static_cast<double>(counts.reference_length - counts.hypothesis_length);
    score.brevity_penalty =
        counts.hypothesis_length > 0 ? std::exp(-lack / static_cast<double>(counts.hypothesis_length)) : 0;
  }
  double mean = 1;
  int without = 0;
  for (std::size_t n = 0; n < 4; ++n) {
    if (counts.matched[0] == 0 || counts.all[n] == 0) {
      mean = 0;
      break;
    }
    const double all = static_cast<double>(counts.all[n]);
    score.precisions[n] = counts.matched[n] != 0 ? 100 * static_cast<double>(counts.matched[n]) / all
                                                 : 100 / (std::ldexp(1.0, ++without) * all);
    mean *= std::sqrt(std::sqrt(score.precisions[n]));
  }
  score.score = score.brevity_penalty * mean;
  return score;
}

}  // namespace gradual
