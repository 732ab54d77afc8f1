#include <algorithm>
#include <cmath>
#include <tuple>

#include "08-search/search.hpp"

namespace gradual {

// The order is written out, so that any sort will do.
std::vector<Choice> beam_step(const std::vector<double>& so_far, const Tensor& log_p, Index beam,
                              std::int32_t end) {
  std::vector<Choice> all;
  const Real* p = log_p.data();
  for (Index parent = 0; parent < log_p.dim(0); ++parent)
    for (std::int32_t word = 0; word < log_p.dim(1); ++word, ++p)
      if (std::isfinite(*p))
        all.push_back({parent, word, so_far[static_cast<std::size_t>(parent)] + *p, BeamNode::Fate::pruned});
  const auto count = std::min<std::ptrdiff_t>(2 * beam, static_cast<std::ptrdiff_t>(all.size()));
  std::partial_sort(all.begin(), all.begin() + count, all.end(), [](const Choice& a, const Choice& b) {
    return std::make_tuple(-a.log_probability, a.parent, a.word) <
           std::make_tuple(-b.log_probability, b.parent, b.word);
  });
  all.erase(all.begin() + count, all.end());
  Index places = beam;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    Choice& each = all[rank];
    if (each.word == end && rank < static_cast<std::size_t>(beam)) each.fate = BeamNode::Fate::ended;
    if (each.word != end && places-- > 0) each.fate = BeamNode::Fate::kept;
  }
  return all;
}

}  // namespace gradual
