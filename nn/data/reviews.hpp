// Generated reviews: short texts whose label hangs on a few words and their order.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/data/labelled_texts.hpp>

namespace gradual {

/// Short reviews: sentences about the plot, the actors, the music … some of which say whether the writer
/// liked it, by a single word and perhaps a "not" before it. The last of them counts: "praise", "complaint",
/// or "neither" where there is none.
std::vector<LabelledText> draw_reviews(Index count, Random random);

/// A sentence that says whether the writer liked something.
struct ReviewVerdict {
  std::string label;               ///< "praise" or "complaint"
  std::size_t begin = 0, end = 0;  ///< of the review's words, from the first to behind the full stop
};

/// Those of such a review, in their order.
std::vector<ReviewVerdict> verdicts(const LabelledText& review);

/// Where the sentence stands by which such a review was labelled, from its first word to behind its full
/// stop; an empty range at the end where there is none.
std::pair<std::size_t, std::size_t> last_verdict(const LabelledText& review);

}  // namespace gradual
