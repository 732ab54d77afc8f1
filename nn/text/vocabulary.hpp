// Tokens and their numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// How often each token was seen.
using TokenCounts = std::unordered_map<std::string, Index>;

/// A list of distinct tokens; the place of a token is its id. Any non-empty strings can be tokens: words,
/// subwords, characters. The first four are reserved and stand for no text.
class Vocabulary {
 public:
  // ---- Reserved tokens, and no limit

  static constexpr std::int32_t pad = 0;      ///< `<pad>`, fills short sentences of a batch
  static constexpr std::int32_t bos = 1;      ///< `<bos>`, begins a sentence
  static constexpr std::int32_t eos = 2;      ///< `<eos>`, ends a sentence
  static constexpr std::int32_t unknown = 3;  ///< `<unk>`, stands for every token that is not in the list

  /// As a size: as many tokens as there are.
  static constexpr Index unlimited = std::numeric_limits<Index>::max();

  // ---- Make, load and save

  /// The tokens that occur at least `min_count` times, by falling frequency and then in byte order, cut off
  /// so that no more than `max_size` are left, the reserved ones included. Throws std::invalid_argument for
  /// an empty token or a `max_size` below 4.
  static Vocabulary build(const std::vector<std::vector<std::string>>& sentences, Index min_count = 1,
                          Index max_size = unlimited);
  /// The same for tokens that were counted already.
  static Vocabulary from_counts(const TokenCounts& counts, Index min_count = 1, Index max_size = unlimited);

  /// The vocabulary whose tokens() were `tokens`, with counts of 0: a model file stores no more. Throws
  /// std::invalid_argument when the reserved tokens are not first or a token is empty or stands twice.
  explicit Vocabulary(const std::vector<std::string>& tokens);

  /// Reads what save wrote. Throws FileError for a file that is not a vocabulary or was cut short, and with
  /// the line for a token that stands twice or is out of place.
  static Vocabulary load(const std::string& path);

  /// Writes the list for people to read, a token and its count on each line in the order of ids. Inside a
  /// token, a space, a tab, a line feed and a carriage return are written as a backslash with s, t, n or r,
  /// and a backslash as two. Throws FileError.
  void save(const std::string& path) const;

  // ---- Look up

  /// How many tokens there are, reserved ones among them.
  Index size() const { return static_cast<Index>(tokens_.size()); }
  /// All tokens, in the order of their numbers.
  const std::vector<std::string>& tokens() const { return tokens_; }
  /// Whether it has a number of its own.
  bool contains(const std::string& token) const { return ids_.count(token) > 0; }
  /// The token with this id; throws std::invalid_argument when there is none.
  const std::string& token(std::int32_t id) const;
  /// How often the token with this id was seen when the vocabulary was built; throws as token does.
  Index count(std::int32_t id) const;

  // ---- Sentences

  /// The ids of a sentence, without <bos> and <eos>. Text that spells a reserved token counts as unknown.
  std::vector<std::int32_t> encode(const std::vector<std::string>& sentence) const;
  /// The tokens up to the first <eos>, without <pad> and <bos>; throws as token does.
  std::vector<std::string> decode(const std::vector<std::int32_t>& ids) const;
  /// The ids of those.
  static std::vector<std::int32_t> written(const std::vector<std::int32_t>& ids);

 private:
  Vocabulary() = default;

  /// Gives `token` the next id, or returns what is wrong with it.
  std::string try_add(const std::string& token, Index count);
  void require_id(const char* operation, std::int32_t id) const;
  /// What is wrong with the whole; empty when nothing is.
  std::string problem() const;

  std::vector<std::string> tokens_;
  std::vector<Index> counts_;
  std::unordered_map<std::string, std::int32_t> ids_;
};

}  // namespace gradual
