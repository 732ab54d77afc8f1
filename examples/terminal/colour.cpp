#include "colour.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include <gradual/nn/text/utf8.hpp>

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

std::string with_blocks_in_colour(const std::string& text, std::FILE* stream) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (text.compare(end, 2, "\xE2\x96") == 0) end += 3;  // U+2580 to U+25BF
    result += end > at ? in_colour(text.substr(at, end - at), Colour::accent, stream) : text.substr(at, 1);
    at = std::max(end, at + 1);
  }
  return result;
}

std::string with_rows_in_colour(const std::string& table,
                                const std::vector<std::pair<std::string, Colour>>& names, std::FILE* stream) {
  std::istringstream lines(table);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const auto named = std::find_if(names.begin(), names.end(),
                                    [&](const auto& each) { return line.rfind(each.first + " ", 0) == 0; });
    result += (named == names.end() ? line : in_colour(line, named->second, stream)) + "\n";
  }
  return result;
}

std::string with_landmarks_strong(std::string text, std::FILE* stream) {
  const auto make_strong = [&](std::size_t at, std::size_t size) {
    text.replace(at, size, in_colour(text.substr(at, size), Colour::strong, stream));
  };
  const std::string answer = "In short:";
  for (auto at = text.find(answer); at != std::string::npos; at = text.find(answer, at + 1))
    if (at == 0 || text[at - 1] == '\n') make_strong(at, answer.size());
  const std::size_t end = text.find("\n\n");
  if (end != std::string::npos && end > 0 && text[end - 1] == '?') make_strong(0, end);
  return text;
}

namespace {

// What is broken goes on below the text behind a mark, and behind a name with room after it: "BLEU     99.9,
// …".
std::size_t hang_of(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  for (const char* mark : {"✓ ", "✗ "})
    if (line.compare(begin, std::string(mark).size(), mark) == 0) return begin + 2;
  const std::size_t room = line.find("  ", begin);
  const std::size_t text = line.find_first_not_of(' ', room);
  return text == std::string::npos ? begin : gradual::character_count(line.substr(0, text));
}

// Where the word ends that begins there: a number with its % or °C is one.
std::size_t end_of_word(const std::string& line, std::size_t begin) {
  const std::size_t end = std::min(line.find(' ', begin), line.size());
  for (const char* unit : {" %", " °C"})
    if (line.compare(end, std::string(unit).size(), unit) == 0)
      return std::min(line.find(' ', end + 1), line.size());
  return end;
}

std::string wrapped_line(const std::string& line, std::size_t columns) {
  if (gradual::character_count(line) <= columns || line.find_first_not_of(' ') == std::string::npos)
    return line;
  const std::size_t hang = hang_of(line);
  const std::string margin(hang < columns / 2 ? hang : line.find_first_not_of(' '), ' ');
  std::string result;
  std::size_t used = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t end = end_of_word(line, begin);
    const std::string space = line.substr(at, begin - at), word = line.substr(begin, end - begin);
    const bool fits = at == 0 || used + space.size() + gradual::character_count(word) <= columns;
    result += (fits ? space : "\n" + margin) + word;
    used = (fits ? used + space.size() : margin.size()) + gradual::character_count(word);
    at = end;
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

std::string wrapped_for_output(const std::string& text) {
  const int columns = output_columns();
  return columns > 0 ? wrapped(text, columns) : text;
}

std::string lines_for_output(const std::string& text) {
  constexpr int usual = 80;
  const int columns = output_columns();
  return wrapped(text, columns > 0 ? columns : usual);
}
