#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "08-search/search.hpp"

namespace gradual {

void count_ngrams(const Sentence& hypothesis, const std::vector<Sentence>& references, NgramCounts& counts) {
  // Each n-gram of a reference can be matched once; of several references, that with most of this n-gram
  // counts.
  const auto gram_at = [](const Sentence& words, std::size_t i, std::size_t n) {
    return Sentence(words.begin() + static_cast<std::ptrdiff_t>(i),
                    words.begin() + static_cast<std::ptrdiff_t>(i + n));
  };
  for (std::size_t n = 1; n <= 4; ++n) {
    std::map<Sentence, Index> left;
    for (const Sentence& reference : references) {
      std::map<Sentence, Index> here;
      for (std::size_t i = 0; i + n <= reference.size(); ++i) {
        const Sentence gram = gram_at(reference, i, n);
        if (++here[gram] > left[gram]) left[gram] = here[gram];
      }
    }
    for (std::size_t i = 0; i + n <= hypothesis.size(); ++i) {
      ++counts.all[n - 1];
      Index& places = left[gram_at(hypothesis, i, n)];
      if (places == 0) continue;
      --places;
      ++counts.matched[n - 1];
    }
  }
  const auto length_of = [](const Sentence& words) { return static_cast<Index>(words.size()); };
  const Index c = length_of(hypothesis);
  Index r = length_of(references.front());
  for (const Sentence& each : references) {
    const Index now = std::abs(length_of(each) - c), before = std::abs(r - c);
    if (now < before) r = length_of(each);
    if (now == before) r = std::min(r, length_of(each));
  }
  counts.hypothesis_length += c;
  counts.reference_length += r;
}

}  // namespace gradual
