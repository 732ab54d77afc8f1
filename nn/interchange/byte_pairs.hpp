// GPT-2's way to cut text: byte-pair encoding over bytes, so that no text is unknown (Radford et al. 2019,
// §2.2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// The pieces that no merge crosses: 's, 't, 're, 've, 'm, 'll and 'd, words, numbers and runs of other
/// signs, each with the space before it, and the spaces that are left. Put together they are the text. Throws
/// std::invalid_argument for text that is not UTF-8.
std::vector<std::string> split_as_gpt2(std::string_view text);

/// Cuts each piece into bytes and merges the neighbours that come first in the list of merges, again and
/// again.
class BytePairs {
 public:
  /// From a vocab.json, which writes a byte that is no visible character as one: a space as Ġ. Nothing is
  /// merged so far. Throws std::exception for a vocabulary whose ids are not 0 … size - 1, or that lacks a
  /// byte.
  explicit BytePairs(const std::string& vocabulary_json);
  /// Merges what the lines of a merges.txt say. Throws std::invalid_argument for a merge of which the
  /// vocabulary lacks what it makes, and for a text that was cut: its last line has no end.
  void set_merges(const std::string& merges);

  Index size() const { return static_cast<Index>(tokens_.size()); }
  /// Throws as split_as_gpt2.
  std::vector<std::int32_t> encode(std::string_view text) const;
  /// The bytes of the tokens, of which a character may be cut in two. Throws std::invalid_argument for an id
  /// that no token has.
  std::string decode(const std::vector<std::int32_t>& ids) const;

 private:
  std::vector<std::string> tokens_;  // as vocab.json has them
  std::unordered_map<std::string, std::int32_t> ids_;
  std::unordered_map<std::string, Index> ranks_;  // of "left right"
};

}  // namespace gradual
