#include <algorithm>
#include <cmath>

#include "08-search/search.hpp"

namespace gradual {

BleuScore bleu_of(const NgramCounts& counts) {
  // log BLEU = min(0, 1 - r/c) + the mean of log p.
  BleuScore score{0, {0, 0, 0, 0}, 0, counts.hypothesis_length, counts.reference_length, ""};
  const bool is_short = counts.hypothesis_length < counts.reference_length;
  if (is_short && counts.hypothesis_length == 0) return score;
  double log_score = std::log(100.0);
  if (is_short) log_score += 1 - double(counts.reference_length) / double(counts.hypothesis_length);
  score.brevity_penalty = std::exp(log_score) / 100;
  double share = 0.5;
  for (std::size_t n = 0; n < 4; ++n) {
    if (counts.matched[0] == 0 || counts.all[n] == 0) return score;
    double matched = double(counts.matched[n]);
    if (matched < 1) {
      matched = share;
      share *= 0.5;
    }
    score.precisions[n] = 100 * matched / double(counts.all[n]);
    log_score += 0.25 * (std::log(matched) - std::log(double(counts.all[n])));
  }
  score.score = std::exp(log_score);
  return score;
}

}  // namespace gradual
