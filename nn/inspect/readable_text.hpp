// Any bytes as text that a picture or a page can hold.
#pragma once

#include <string>
#include <string_view>

namespace gradual {

/// `bytes` as valid UTF-8 that XML allows: what is not valid becomes U+FFFD, and control characters other
/// than tab, line feed and carriage return become their pictures (U+2400 and on).
std::string readable_text(std::string_view bytes);

/// `token` as a short label: readable, white space made visible (␣ ↵ ⇥), cut to `longest` characters with
/// "…".
std::string token_label(std::string_view token, std::size_t longest);

/// About how wide `text` is in a sans-serif font of the given size, in pixels.
double text_width(std::string_view text, double font_size);

}  // namespace gradual
