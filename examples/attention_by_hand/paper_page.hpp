// What the pencil wrote, as a page.
#pragma once

#include <string>

#include "words.hpp"

/// `paper`: headings, text, tables and lines of calculation, as attend_by_hand writes them; `weights`: who
/// looks at whom.
std::string paper_page(const std::string& paper, const Matrix& weights);
