// The live cells of a page: what its program, its notebook and the rules for both are made of.
#pragma once

#include "page.hpp"

struct Cell {
  int line;  // of its first line of code
  bool at_file_scope;
  std::string code, expected;
};

constexpr char file_scope[] =
    "<!-- file scope -->";  // the line above the fence of a cell that stands before main()

// Whether `fence` is what the live cell right before it prints.
inline bool is_output(const Fence& fence) {
  return fence.language == "text" && starts_with(fence.before, "```c++");
}

inline std::vector<Cell> cells_of(const Page& page) {
  std::vector<Cell> cells;
  for (const Fence& fence : page.fences) {
    if (fence.language == "c++")
      cells.push_back({fence.line + 1, fence.before == file_scope, fence.content, ""});
    else if (is_output(fence))
      cells.back().expected = fence.content;
  }
  return cells;
}
