#include <string>
#include <unordered_map>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "08-search/search.hpp"

namespace gradual {

namespace {

using Counts = std::unordered_map<std::string, Index>;

// All n-grams of a sentence for one n, written as texts.
Counts written(const Sentence& words, std::size_t n) {
  Counts counts;
  for (std::size_t i = 0; i + n <= words.size(); ++i) {
    std::string gram;
    for (std::size_t j = i; j < i + n; ++j) gram += std::to_string(words[j]) + ' ';
    ++counts[gram];
  }
  return counts;
}

}  // namespace

void count_ngrams(const Sentence& hypothesis, const std::vector<Sentence>& references, NgramCounts& counts) {
  const auto c = static_cast<std::ptrdiff_t>(hypothesis.size());
  std::vector<std::ptrdiff_t> lengths;
  for (const Sentence& each : references) lengths.push_back(static_cast<std::ptrdiff_t>(each.size()));
  std::sort(lengths.begin(), lengths.end());  // the first of equally near ones is the shorter
  counts.reference_length += *std::min_element(
      lengths.begin(), lengths.end(), [&](auto a, auto b) { return std::abs(a - c) < std::abs(b - c); });
  counts.hypothesis_length += c;
  for (std::size_t n = 1; n < 5; ++n) {
    std::vector<Counts> right;
    for (const Sentence& each : references) right.push_back(written(each, n));
    for (const auto& entry : written(hypothesis, n)) {
      Index most = 0;
      for (const Counts& each : right) {
        const auto found = each.find(entry.first);
        if (found != each.end()) most = std::max(most, found->second);
      }
      counts.matched[n - 1] += entry.second < most ? entry.second : most;
      counts.all[n - 1] += entry.second;
    }
  }
}

}  // namespace gradual
