#include <cmath>
#include <map>

#include "08-search/search.hpp"

namespace gradual {

// A map keeps its keys in order, and equal ones in the order in which they came.
std::vector<Choice> beam_step(const std::vector<double>& so_far, const Tensor& log_p, Index beam,
                              std::int32_t end) {
  std::multimap<double, Choice> by_cost;
  for (std::size_t parent = 0; parent < so_far.size(); ++parent) {
    for (Index word = 0; word < log_p.dim(1); ++word) {
      const double last = double(log_p.data()[static_cast<Index>(parent) * log_p.dim(1) + word]);
      if (last > -1e300)
        by_cost.insert({-(so_far[parent] + last), Choice{static_cast<Index>(parent), std::int32_t(word),
                                                         so_far[parent] + last, BeamNode::Fate::kept}});
    }
  }
  std::vector<Choice> result;
  Index kept = 0;
  for (auto& [cost, choice] : by_cost) {
    const auto rank = static_cast<Index>(result.size());
    if (rank == 2 * beam) break;
    if (choice.word == end) {
      choice.fate = rank < beam ? BeamNode::Fate::ended : BeamNode::Fate::pruned;
    } else {
      if (kept == beam) choice.fate = BeamNode::Fate::pruned;
      kept += kept < beam ? 1 : 0;
    }
    result.push_back(choice);
  }
  return result;
}

}  // namespace gradual
