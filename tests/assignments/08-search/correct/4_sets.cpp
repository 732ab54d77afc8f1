#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "08-search/search.hpp"

namespace gradual {

void count_ngrams(const Sentence& hypothesis, const std::vector<Sentence>& references, NgramCounts& counts) {
  const Index c = static_cast<Index>(hypothesis.size());
  std::set<std::pair<Index, Index>> lengths;  // by distance, then by length
  for (const Sentence& each : references) {
    const Index r = static_cast<Index>(each.size());
    lengths.insert({r > c ? r - c : c - r, r});
  }
  counts.hypothesis_length += c;
  counts.reference_length += lengths.begin()->second;
  const auto how_often = [](const Sentence& gram, const Sentence& words) {
    Index count = 0;
    for (std::size_t i = 0; i + gram.size() <= words.size(); ++i)
      count += std::equal(gram.begin(), gram.end(), words.begin() + static_cast<std::ptrdiff_t>(i)) ? 1 : 0;
    return count;
  };
  for (int n = 1; n <= 4; ++n) {
    std::set<Sentence> different;
    for (Index i = 0; i + n <= c; ++i) different.emplace(hypothesis.begin() + i, hypothesis.begin() + i + n);
    counts.all[static_cast<std::size_t>(n - 1)] += std::max<Index>(0, c - n + 1);
    for (const Sentence& gram : different) {
      Index most = 0;
      for (const Sentence& each : references) most = std::max(most, how_often(gram, each));
      counts.matched[static_cast<std::size_t>(n - 1)] += std::min(most, how_often(gram, hypothesis));
    }
  }
}

}  // namespace gradual
