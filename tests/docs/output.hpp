// What a cell prints: its text, and the pictures that `show` of notebooks/notebook_display.hpp puts between
// marks.
#pragma once

#include <sstream>
#include <string>
#include <vector>

constexpr char figure_marker = '\035';  // stands before and after a figure: its name, a line's end, its SVG

struct Figure {
  std::string name, svg;
};

struct Output {
  std::string text;
  std::vector<Figure> figures;
};

// `text` cut at each `marker`.
inline std::vector<std::string> pieces_of(const std::string& text, char marker) {
  std::vector<std::string> pieces{""};
  for (const char c : text) {
    if (c == marker)
      pieces.emplace_back();
    else
      pieces.back() += c;
  }
  return pieces;
}

inline Output output_of(const std::string& printed) {
  Output output;
  const std::vector<std::string> pieces = pieces_of(printed, figure_marker);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t end_of_name = pieces[i].find('\n');
    if (i % 2 == 0)
      output.text += pieces[i];
    else
      output.figures.push_back({pieces[i].substr(0, end_of_name), pieces[i].substr(end_of_name + 1)});
  }
  return output;
}

// Without spaces at the ends of lines and empty lines at the end, which nobody sees on a page.
inline std::string visible(const std::string& output) {
  std::istringstream lines(output);
  std::string result, pending;
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(' ') + 1);
    pending += line + "\n";
    if (line.empty()) continue;
    result += pending;
    pending.clear();
  }
  return result;
}
