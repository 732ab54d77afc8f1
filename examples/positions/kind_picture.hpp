// What tells a place, drawn for each kind of positions.
#pragma once

#include <string>
#include <vector>

/// What the kind gives to sixteen places (an item's own at the right end where it gives something to
/// distances): a small picture, or nothing of a kind that is not the library's. Waves, slopes and angles are
/// the library's for a width of 8; of relative positions the bars are what was `added` to scores by distance;
/// what is learnt for each place is drawn by chance.
std::string draw_kind(const std::string& kind, const std::vector<double>& added);
