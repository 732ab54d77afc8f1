#include <gradual/nn/inspect/alignment_match.hpp>

#include <algorithm>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

/// The source words of each of `targets` target words.
std::vector<std::vector<std::size_t>> sources_of(const Alignment& alignment, std::size_t targets,
                                                 std::size_t sources) {
  std::vector<std::vector<std::size_t>> result(targets);
  for (const auto& [source, target] : alignment) {
    if (source < 0 || target < 0 || static_cast<std::size_t>(source) >= sources ||
        static_cast<std::size_t>(target) >= targets)
      throw std::invalid_argument(text("alignment: both words must be in the map: source ", source, " of ",
                                       sources, ", target ", target, " of ", targets));
    result[static_cast<std::size_t>(target)].push_back(static_cast<std::size_t>(source));
  }
  return result;
}

}  // namespace

AlignmentMatch& AlignmentMatch::operator+=(const AlignmentMatch& other) {
  words += other.words;
  weight += other.weight;
  strongest += other.strongest;
  return *this;
}

AlignmentMatch match_alignment(const AttentionMap& map, const Alignment& alignment) {
  check_attention_map(map, "match_alignment");
  AlignmentMatch match;
  const auto sources = sources_of(alignment, map.queries.size(), map.keys.size());
  for (std::size_t t = 0; t < sources.size(); ++t) {
    if (sources[t].empty()) continue;
    const auto row = map.weights.begin() + static_cast<std::ptrdiff_t>(t * map.keys.size());
    const auto largest = std::max_element(row, row + static_cast<std::ptrdiff_t>(map.keys.size())) - row;
    ++match.words;
    for (const std::size_t s : sources[t]) {
      match.weight += static_cast<double>(map.weight(t, s));
      match.strongest += static_cast<std::size_t>(largest) == s;
    }
  }
  return match;
}

AttentionMap alignment_map(const std::vector<std::string>& target, const std::vector<std::string>& source,
                           const Alignment& alignment) {
  AttentionMap map{target, source, std::vector<float>(target.size() * source.size(), 0), "known alignment"};
  const auto sources = sources_of(alignment, target.size(), source.size());
  for (std::size_t t = 0; t < sources.size(); ++t) {
    for (const std::size_t s : sources[t])
      map.weights[t * source.size() + s] = 1 / static_cast<float>(sources[t].size());
  }
  return map;
}

}  // namespace gradual
