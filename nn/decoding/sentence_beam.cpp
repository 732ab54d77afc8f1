#include <gradual/nn/decoding/sentence_beam.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace gradual {

SentenceBeam::SentenceBeam(const BeamOptions& options, Index attended) : options_(options) {
  tree_.nodes.push_back({options.begin, -1, -1, 0, 0, BeamNode::Fate::kept});
  live_.push_back({0, 0, std::vector<double>(static_cast<std::size_t>(attended))});
}

std::int32_t SentenceBeam::last_word(Index live) const {
  return node(live_[static_cast<std::size_t>(live)].node).token;
}

void SentenceBeam::attend(Index live, const Real* weights) {
  for (double& sum : live_[static_cast<std::size_t>(live)].attention) sum += static_cast<double>(*weights++);
}

// The 2·beam_size best words, the best first; of equal ones that of the better hypothesis, then the lower
// word.
std::vector<SentenceBeam::Candidate> SentenceBeam::best_candidates(const TopClasses& top,
                                                                   Index first_row) const {
  std::vector<Candidate> candidates;
  for (Index live = 0; live < live_count(); ++live) {
    for (Index i = 0; i < top.count; ++i) {
      const auto place = static_cast<std::size_t>((first_row + live) * top.count + i);
      if (top.ids[place] < 0) continue;
      candidates.push_back({live, top.ids[place],
                            live_[static_cast<std::size_t>(live)].log_probability +
                                static_cast<double>(top.log_probabilities[place])});
    }
  }
  const Index count = std::min(2 * options_.beam_size, static_cast<Index>(candidates.size()));
  std::partial_sort(candidates.begin(), candidates.begin() + count, candidates.end(),
                    [](const Candidate& a, const Candidate& b) {
                      return std::tie(b.log_probability, a.parent, a.token) <
                             std::tie(a.log_probability, b.parent, b.token);
                    });
  candidates.resize(static_cast<std::size_t>(count));
  return candidates;
}

std::vector<Index> SentenceBeam::advance(const TopClasses& top, Index first_row) {
  std::vector<Live> survivors;
  std::vector<Index> parents;
  Index rank = 0;
  for (const Candidate& candidate : best_candidates(top, first_row)) {
    const Live& parent = live_[static_cast<std::size_t>(candidate.parent)];
    const Live next{static_cast<Index>(tree_.nodes.size()), candidate.log_probability, parent.attention};
    tree_.nodes.push_back(
        {candidate.token, parent.node, step_, rank, candidate.log_probability, BeamNode::Fate::pruned});
    if (candidate.token == options_.end && rank < options_.beam_size) {
      tree_.nodes.back().fate = BeamNode::Fate::ended;
      end(next, true);
    } else if (candidate.token != options_.end && static_cast<Index>(survivors.size()) < options_.beam_size) {
      tree_.nodes.back().fate = BeamNode::Fate::kept;
      survivors.push_back(next);
      parents.push_back(candidate.parent);
    }
    ++rank;
  }
  live_ = std::move(survivors);
  ++step_;
  return parents;
}

// Keeps the ended hypotheses sorted; of equal ones the older comes first.
void SentenceBeam::end(const Live& last, bool finished) {
  std::vector<std::int32_t> words;
  for (Index at = finished ? node(last.node).parent : last.node; at > 0; at = node(at).parent)
    words.push_back(node(at).token);
  std::reverse(words.begin(), words.end());
  const double score =
      last.log_probability / length_penalty(node(last.node).step + 1, options_.length_penalty) +
      coverage_penalty(last.attention, options_.coverage_penalty);
  const Ended ended{{std::move(words), last.log_probability, score, finished}, last.node};
  const auto better = [](const Ended& a, const Ended& b) {
    return std::tie(a.hypothesis.finished, a.hypothesis.score) >
           std::tie(b.hypothesis.finished, b.hypothesis.score);
  };
  ended_.insert(std::upper_bound(ended_.begin(), ended_.end(), ended, better), ended);
}

bool SentenceBeam::done() const {
  const auto ended = static_cast<Index>(ended_.size());
  if (live_.empty() || step_ == options_.max_length || ended >= options_.beam_size) return true;
  if (ended < options_.n_best) return false;
  const double reachable =
      live_.front().log_probability / length_penalty(options_.max_length, options_.length_penalty);
  return reachable <= ended_[static_cast<std::size_t>(options_.n_best - 1)].hypothesis.score;
}

std::vector<Hypothesis> SentenceBeam::results() {
  if (step_ == options_.max_length) {
    for (const Live& live : live_) end(live, false);
  }
  std::vector<Hypothesis> best;
  for (const Ended& ended : ended_) {
    if (static_cast<Index>(best.size()) == options_.n_best) break;
    best.push_back(ended.hypothesis);
    tree_.results.push_back(ended.node);
  }
  return best;
}

}  // namespace gradual
