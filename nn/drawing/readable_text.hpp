// Any bytes as text that a picture or a page can hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradual {

/// `bytes` as valid UTF-8 that XML allows: what is not valid becomes U+FFFD, and control characters other
/// than tab, line feed and carriage return become their pictures (U+2400 and on).
std::string readable_text(std::string_view bytes);

/// `token` as a label: readable, white space made visible (␣ ↵ ⇥), cut to `longest` characters with "…".
std::string token_label(std::string_view token, std::size_t longest = std::string_view::npos);

/// `"Hello" and "world"`: words in a sentence, the first twelve of them.
std::string quoted_list(const std::vector<std::string>& words);

/// `text` for use inside other text: where it has letters that are written from right to left, it stands
/// between U+2068 and U+2069 (first strong isolate … pop directional isolate), so that what follows it keeps
/// its place. All other text stays as it is.
std::string isolated(std::string_view text);

/// About how wide `text` is in a sans-serif font of the given size, in pixels.
double text_width(std::string_view text, double font_size);

/// How many times as wide bold letters are.
constexpr double bold_factor = 1.1;

/// The words of `text` in lines that are no wider than `width` pixels, but for a word that is wider by
/// itself.
std::vector<std::string> lines_of(const std::string& text, double font_size, double width);

}  // namespace gradual
