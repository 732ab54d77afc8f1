#include <gradual/nn/decoding/sentence_beam.hpp>

namespace gradual {

bool SentenceBeam::done() const {
  // How many of those that ended are at least as good as the best that may still come.
  if (live_.empty() || step_ == options_.max_length) return true;
  const double reachable =
      live_.front().log_probability / length_penalty(options_.max_length, options_.length_penalty);
  Index better = 0, all = 0;
  for (const Ended& each : ended_) {
    ++all;
    if (each.hypothesis.score >= reachable) ++better;
  }
  return all >= options_.beam_size || better >= options_.n_best;
}

}  // namespace gradual
