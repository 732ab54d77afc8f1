#include "legend.hpp"

#include <algorithm>

#include <gradual/nn/drawing/line_text.hpp>

std::string legend(const std::vector<std::pair<std::string, std::string>>& meanings) {
  std::size_t width = 0;
  for (const auto& [name, meaning] : meanings) width = std::max(width, name.size());
  std::string lines;
  for (const auto& [name, meaning] : meanings)
    lines += "  " + gradual::left_in(width, name) + "  " + meaning + "\n";
  return lines;
}
