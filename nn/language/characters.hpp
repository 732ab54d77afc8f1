// The characters of a text and their numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// A list of distinct characters; the place of a character is its id.
///
/// Unlike a Vocabulary it reserves no id for padding or for what is unknown: a model of running text needs
/// neither, and a character that the text never had is an error.
class Characters {
 public:
  /// The characters of a text in the order of their code points. Throws std::invalid_argument for an empty
  /// text and for one that is not valid UTF-8.
  static Characters of(std::string_view text);
  /// The characters whose list() was `characters`. Throws std::invalid_argument unless each is one character
  /// and none stands twice.
  explicit Characters(std::vector<std::string> characters);

  /// How many there are.
  Index size() const { return static_cast<Index>(characters_.size()); }
  /// The characters, in the order of their ids.
  const std::vector<std::string>& list() const { return characters_; }

  /// Throws std::invalid_argument that names the first character that is not in the list, and its place.
  std::vector<std::int32_t> encode(std::string_view text) const;
  /// Throws std::invalid_argument for an id that no character has.
  std::string decode(const std::vector<std::int32_t>& ids) const;

 private:
  std::vector<std::string> characters_;
  std::map<std::string, std::int32_t> ids_;
};

}  // namespace gradual
