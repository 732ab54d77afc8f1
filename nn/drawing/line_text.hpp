// Text in the lines of a terminal: lists, and fields of a width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gradual {

/// The items one after the other: list_text({"a", "b"}, ", ") is "a, b".
std::string list_text(const std::vector<std::string>& items, std::string_view separator = " ");

/// The same in a sentence: "a", "a and b", "a, b and c".
std::string and_text(const std::vector<std::string>& items);

/// `text` so many times: repeated("─", 3) is "───".
std::string repeated(std::string_view text, std::size_t times);

/// `text` at the right of a field of `width` characters, so that columns stay where they are; longer texts
/// are left whole. Throws std::invalid_argument when the text is not valid UTF-8.
std::string right_in(std::size_t width, const std::string& text);
/// The same at the left.
std::string left_in(std::size_t width, const std::string& text);

}  // namespace gradual
