// What is said of the task and of the kinds of positions, wherever it is said.
#pragma once

#include <string>

inline constexpr const char* attention_sees_a_set =
    "Attention by itself does not see in which order items stand: it has to be told.";
inline constexpr const char* how_attention_works =
    "Inside a model an item is a list of numbers. The item that asks (the query) gives itself and each item "
    "before it (the keys) scores; the highest get the most weight. Each of several heads, which are ways to "
    "look, has scores of its own.";
inline constexpr const char *any_value = "a guess", *commonest_value = "commonest";

/// What tells a kind the place of an item, how attention hears of it, and what that is worth in sequences
/// longer than those of training, in a few words; nothing of one that is not the library's.
struct Told {
  std::string by, how, longer;
};
Told told(const std::string& kind);
