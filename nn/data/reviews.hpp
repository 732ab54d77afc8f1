// Generated reviews: short texts whose label hangs on a few words and their order.
#pragma once

#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/data/labelled_texts.hpp>

namespace gradual {

/// Short reviews: sentences about the plot, the actors, the music … some of which say whether the writer
/// liked it, by a single word and perhaps a "not" before it. The last of them counts: "praise", "complaint",
/// or "neither" where there is none.
std::vector<LabelledText> draw_reviews(Index count, Random random);

}  // namespace gradual
