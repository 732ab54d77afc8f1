// A way to attend as a small picture.
#pragma once

#include <string>

/// What the way looks at before it says a word, drawn by hand: five words above, the one to be said below,
/// and lines that are the thicker the more weight is on them; arcs are what a word sees of its own sentence.
/// Nothing for a way that the contest does not have.
std::string draw_way(const std::string& way);
