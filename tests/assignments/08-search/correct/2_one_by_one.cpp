#include <limits>
#include <set>
#include <utility>

#include "08-search/search.hpp"

namespace gradual {

// The best that is left, 2·beam times.
std::vector<Choice> beam_step(const std::vector<double>& so_far, const Tensor& log_p, Index beam,
                              std::int32_t end) {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  std::vector<Choice> list;
  std::set<std::pair<Index, std::int32_t>> taken;
  Index kept = 0;
  while (static_cast<Index>(list.size()) < 2 * beam) {
    Choice best{0, 0, nothing, BeamNode::Fate::pruned};
    for (Index parent = 0; parent < log_p.dim(0); ++parent) {
      for (std::int32_t word = 0; word < log_p.dim(1); ++word) {
        const double sum =
            so_far[static_cast<std::size_t>(parent)] + static_cast<double>(log_p({parent, word}));
        if (sum > best.log_probability && taken.count({parent, word}) == 0)
          best = {parent, word, sum, BeamNode::Fate::pruned};
      }
    }
    if (best.log_probability == nothing) break;
    taken.insert({best.parent, best.word});
    const bool is_early = static_cast<Index>(list.size()) < beam;
    if (best.word == end)
      best.fate = is_early ? BeamNode::Fate::ended : BeamNode::Fate::pruned;
    else
      best.fate = kept++ < beam ? BeamNode::Fate::kept : BeamNode::Fate::pruned;
    list.push_back(best);
  }
  return list;
}

}  // namespace gradual
