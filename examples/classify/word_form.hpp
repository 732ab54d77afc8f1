// What the form of a word tells about it, even of a word that was never seen: how it is written, how it
// begins and how it ends.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <gradual/core/real.hpp>

/// How a word is written.
enum class WordShape {
  lower_case,   ///< city
  capitalised,  ///< Aspen
  mixed_case,   ///< McGwire, eBay
  capitals,     ///< NASA
  one_capital,  ///< X
  year,         ///< 1984: four digits
  number,       ///< 12
  with_digits,  ///< 20th, 3,000, $5
  with_marks,   ///< sister-city, don't
  marks         ///< ?
};
constexpr gradual::Index word_shape_count = 10;

/// Throws std::invalid_argument when the word is not valid UTF-8.
WordShape shape_of(const std::string& word);

/// The first three and four and the last two, three and four characters of a word in lower case, each as a
/// number in 0 … buckets - 1 (a hash: different ones may share a number). Throws std::invalid_argument when
/// the word is not valid UTF-8 or there is no bucket.
std::array<std::int32_t, 5> affixes_of(const std::string& word, gradual::Index buckets);
