#include "colour.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

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

std::string wrapped(const std::string& text, int columns) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t used = 0;
  while (words >> word) {
    const auto width = static_cast<std::size_t>(
        std::count_if(word.begin(), word.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
    const bool fits = used == 0 || used + 1 + width <= static_cast<std::size_t>(columns);
    result += used == 0 ? word : fits ? " " + word : "\n" + word;
    used = used == 0 || !fits ? width : used + 1 + width;
  }
  return result;
}
