// Generated reviews: short texts whose label hangs on a few words and their order.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/data/labelled_texts.hpp>

namespace gradual {

/// Short reviews: sentences about the plot, the actors, the music … some of which say whether the writer
/// liked it, by a single word and perhaps a "not" before it. The last of them counts: "praise", "complaint",
/// or "neither" where there is none.
std::vector<LabelledText> draw_reviews(Index count, Random random);

/// Where the sentence stands by which such a review was labelled, from its first word to behind its full
/// stop; an empty range at the end where there is none.
std::pair<std::size_t, std::size_t> last_verdict(const LabelledText& review);

}  // namespace gradual
