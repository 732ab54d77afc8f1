#include <algorithm>

#include <gradual/nn/decoding/sentence_beam.hpp>

namespace gradual {

bool SentenceBeam::done() const {
  if (live_count() == 0 || step() == options_.max_length) return true;
  if (static_cast<Index>(ended_.size()) >= options_.beam_size) return true;
  if (static_cast<Index>(ended_.size()) < options_.n_best) return false;
  const double largest = length_penalty(options_.max_length, options_.length_penalty);
  const double bar = ended_.at(static_cast<std::size_t>(options_.n_best) - 1).hypothesis.score;
  return std::none_of(live_.begin(), live_.end(),
                      [&](const Live& live) { return live.log_probability / largest > bar; });
}

}  // namespace gradual
