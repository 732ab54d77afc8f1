// A page of docs/ as its fences and the lines between them.
//
// Fences that are allowed, so that the page, and the notebook made of the same source, both work:
//
//   c++       a live cell: see tangle.cpp
//   text      right after a live cell: what that cell prints
//   cpp       C++ that is shown only; with title="some/file.hpp" a quotation: see names.cpp
//   console, cmake, text elsewhere: shown only
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Line {
  int number;  // from 1
  std::string text;
};

struct Fence {
  int line;  // where it begins, from 1
  std::string language, attributes;
  std::string before;  // the last line before it that is not empty; of another fence, its first
  std::string content;
};

struct Page {
  std::string path;
  std::vector<Fence> fences;
  std::vector<Line> prose;
};

[[noreturn]] inline void fail(const std::string& path, int line, const std::string& problem) {
  throw std::runtime_error(path + ":" + std::to_string(line) + ": " + problem);
}

inline bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

inline Fence open_fence(const std::string& path, const Line& line, const std::string& before) {
  Fence fence{line.number, "", "", before, ""};
  std::istringstream words(line.text.substr(3));
  words >> fence.language >> std::ws;
  std::getline(words, fence.attributes);
  for (const char* known : {"c++", "cpp", "text", "console", "cmake"}) {
    if (fence.language != known) continue;
    if (fence.attributes.empty()) return fence;
    for (const char* allowed : {"title=", "hl_lines=", "linenums="})
      if (starts_with(fence.attributes, allowed)) return fence;
    fail(path, line.number, "a fence takes title, hl_lines or linenums: got " + fence.attributes);
  }
  fail(path, line.number, "a fence must be c++, cpp, text, console or cmake: got \"" + fence.language + "\"");
}

inline Page read_page(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be read");
  Page page{path, {}, {}};
  std::string before;
  bool inside = false;
  Line line{0, ""};
  while (++line.number, std::getline(in, line.text)) {
    if (std::any_of(line.text.begin(), line.text.end(),
                    [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7f; }))
      fail(path, line.number, "a page is plain text, and this line has a control character");
    if (inside && line.text == "```") {
      inside = false;
    } else if (inside) {
      page.fences.back().content += line.text + "\n";
    } else if (starts_with(line.text, "```")) {
      inside = true;
      page.fences.push_back(open_fence(path, line, before));
      before = line.text;
    } else if (!line.text.empty()) {
      page.prose.push_back(line);
      before = line.text;
    }
  }
  if (inside) fail(path, page.fences.back().line, "this fence has no end");
  return page;
}
