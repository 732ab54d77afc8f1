#include "08-search/search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace gradual {
namespace {

// How often each run of n words stands in a sentence.
std::map<Sentence, Index> ngrams_of(const Sentence& sentence, Index n) {
  std::map<Sentence, Index> counts;
  for (auto first = sentence.begin(); sentence.end() - first >= n; ++first)
    ++counts[Sentence(first, first + n)];
  return counts;
}

}  // namespace

std::vector<Choice> beam_step(const std::vector<double>& so_far, const Tensor& log_p, Index beam,
                              std::int32_t end) {
  const Index live = log_p.dim(0), V = log_p.dim(1);
  std::vector<Choice> choices;
  for (Index parent = 0; parent < live; ++parent) {
    for (Index word = 0; word < V; ++word) {
      const auto last = static_cast<double>(log_p.data()[parent * V + word]);
      if (std::isinf(last)) continue;
      const double sum = so_far[static_cast<std::size_t>(parent)] + last;
      choices.push_back({parent, static_cast<std::int32_t>(word), sum, BeamNode::Fate::pruned});
    }
  }
  const auto better = [](const Choice& a, const Choice& b) { return a.log_probability > b.log_probability; };
  std::stable_sort(choices.begin(), choices.end(), better);
  choices.resize(std::min(choices.size(), static_cast<std::size_t>(2 * beam)));
  Index rank = 0, kept = 0;
  for (Choice& choice : choices) {
    if (choice.word == end) {
      if (rank < beam) choice.fate = BeamNode::Fate::ended;
    } else if (kept < beam) {
      choice.fate = BeamNode::Fate::kept;
      ++kept;
    }
    ++rank;
  }
  return choices;
}

void count_ngrams(const Sentence& hypothesis, const std::vector<Sentence>& references, NgramCounts& counts) {
  const auto length = static_cast<Index>(hypothesis.size());
  auto nearest = static_cast<Index>(references[0].size());
  for (const Sentence& reference : references) {
    const auto other = static_cast<Index>(reference.size());
    const Index distance = std::abs(other - length), least = std::abs(nearest - length);
    if (distance < least || (distance == least && other < nearest)) nearest = other;
  }
  counts.hypothesis_length += length;
  counts.reference_length += nearest;
  for (Index n = 1; n <= 4; ++n) {
    const auto place = static_cast<std::size_t>(n - 1);
    std::map<Sentence, Index> most;  // of each n-gram, in the reference that has most of it
    for (const Sentence& reference : references)
      for (const auto& [gram, count] : ngrams_of(reference, n)) most[gram] = std::max(most[gram], count);
    for (const auto& [gram, count] : ngrams_of(hypothesis, n)) {
      counts.all[place] += count;
      counts.matched[place] += std::min(count, most[gram]);
    }
  }
}

BleuScore bleu_of(const NgramCounts& counts) {
  const auto c = static_cast<double>(counts.hypothesis_length);
  const auto r = static_cast<double>(counts.reference_length);
  BleuScore result{0, {}, 1, counts.hypothesis_length, counts.reference_length, ""};
  if (c < r) result.brevity_penalty = c == 0 ? 0 : std::exp(1 - r / c);
  if (counts.matched[0] == 0) return result;
  double logarithms = 0, share = 1;
  for (std::size_t n = 0; n < 4; ++n) {
    if (counts.all[n] == 0) return result;
    auto matched = static_cast<double>(counts.matched[n]);
    if (matched == 0) matched = share /= 2;
    const double precision = matched / static_cast<double>(counts.all[n]);
    result.precisions[n] = 100 * precision;
    logarithms += std::log(precision);
  }
  result.score = 100 * result.brevity_penalty * std::exp(logarithms / 4);
  return result;
}

}  // namespace gradual
