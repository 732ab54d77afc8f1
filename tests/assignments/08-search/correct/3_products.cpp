#include <gradual/nn/decoding/sentence_beam.hpp>

namespace gradual {

bool SentenceBeam::done() const {
  const std::size_t beam = static_cast<std::size_t>(options_.beam_size);
  const std::size_t wanted = static_cast<std::size_t>(options_.n_best);
  if (live_.empty() || step_ >= options_.max_length || ended_.size() >= beam) return true;
  if (ended_.size() < wanted) return false;
  const double bar = ended_[wanted - 1].hypothesis.score;
  return live_[0].log_probability <= bar * length_penalty(options_.max_length, options_.length_penalty);
}

}  // namespace gradual
