#include "colour.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "console.hpp"

bool has_colours(std::FILE* stream) {
  const auto set_to = [](const char* name) -> std::string {
    const char* const value = std::getenv(name);
    return value ? value : "";
  };
  return set_to("NO_COLOR").empty() && set_to("TERM") != "dumb" && shows_colours(stream);
}

std::string in_colour(const std::string& text, Colour colour, std::FILE* stream) {
  if (!has_colours(stream)) return text;
  const char* code = colour == Colour::soft     ? "2"
                     : colour == Colour::right  ? "32"
                     : colour == Colour::wrong  ? "31"
                     : colour == Colour::accent ? "36"
                                                : "1";
  return "\033[" + std::string(code) + "m" + text + "\033[0m";
}

std::string with_marks_in_colour(std::string text, std::FILE* stream) {
  for (const auto& [mark, colour] :
       {std::pair<std::string, Colour>("✓", Colour::right), {"✗", Colour::wrong}}) {
    const std::string coloured = in_colour(mark, colour, stream);
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + coloured.size()))
      text.replace(at, mark.size(), coloured);
  }
  return text;
}

namespace {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string wrapped_line(const std::string& line, std::size_t columns) {
  if (width_of(line) <= columns) return line;
  const std::string margin(std::min(line.find_first_not_of(' '), line.size()), ' ');
  std::istringstream words(line);
  std::string result = margin, word;
  std::size_t used = margin.size();
  for (bool is_first = true; words >> word; is_first = false) {
    const std::size_t width = width_of(word);
    const bool fits = is_first || used + 1 + width <= columns;
    result += is_first ? word : (fits ? " " : "\n" + margin) + word;
    used = is_first || !fits ? margin.size() + width : used + 1 + width;
  }
  return result;
}

}  // namespace

std::string wrapped(const std::string& text, int columns) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    result += wrapped_line(line, static_cast<std::size_t>(columns)) + (lines.eof() ? "" : "\n");
  return result;
}
