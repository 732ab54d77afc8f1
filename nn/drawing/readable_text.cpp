#include <gradual/nn/drawing/readable_text.hpp>

#include <algorithm>
#include <sstream>

#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// Unicode's picture of a control character: U+2400 and on for the first 32, U+2421 for DEL, none for the
/// others.
char32_t control_picture(char32_t c) { return c < 0x20 ? 0x2400 + c : c == 0x7F ? 0x2421 : kReplacement; }

char32_t readable(char32_t c) {
  if (is_control(c) && c != '\t' && c != '\n' && c != '\r') return control_picture(c);
  const bool allowed_in_xml = c != 0xFFFE && c != 0xFFFF;
  return allowed_in_xml ? c : kReplacement;
}

std::u32string readable_code_points(std::string_view bytes) {
  std::u32string result;
  for (;;) {
    const std::optional<Index> invalid = first_invalid_byte(bytes);
    const std::size_t valid = invalid ? static_cast<std::size_t>(*invalid) : bytes.size();
    for (const char32_t c : decode_utf8(bytes.substr(0, valid))) result += readable(c);
    if (!invalid) return result;
    result += kReplacement;
    bytes.remove_prefix(valid + 1);
  }
}

}  // namespace

std::string readable_text(std::string_view bytes) { return encode_utf8(readable_code_points(bytes)); }

std::string token_label(std::string_view token, std::size_t longest) {
  std::u32string label = readable_code_points(token);
  for (char32_t& c : label) {
    if (c == ' ') c = U'␣';
    if (c == '\n') c = U'↵';
    if (c == '\t') c = U'⇥';
    if (is_control(c)) c = control_picture(c);
  }
  if (label.size() > longest) {
    label.resize(longest);
    label.back() = U'…';
  }
  return encode_utf8(label);
}

std::string quoted_list(const std::vector<std::string>& words) {
  constexpr std::size_t most = 12;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i)
    quoted.push_back("\"" + readable_text(words[i]) + "\"");
  return words.size() > most ? list_text(quoted, ", ") + ", …" : and_text(quoted);
}

std::string isolated(std::string_view text) {
  const std::u32string characters = readable_code_points(text);
  const bool needed = std::any_of(characters.begin(), characters.end(), is_right_to_left);
  return needed ? "\u2068" + std::string(text) + "\u2069" : std::string(text);
}

double text_width(std::string_view text, double font_size) {
  double ems = 0;
  // Letters are narrower than high; what takes two columns of a terminal is drawn in a square.
  for (const char32_t c : readable_code_points(text)) ems += columns_of(c) == 2 ? 1.0 : 0.6 * columns_of(c);
  return ems * font_size;
}

std::vector<std::string> lines_of(const std::string& text, double font_size, double width) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.empty() && text_width(lines.back() + " " + word, font_size) <= width)
      lines.back() += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

}  // namespace gradual
