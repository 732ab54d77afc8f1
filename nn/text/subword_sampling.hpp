// Words cut into pieces by chance: a model that sees a word cut in many ways learns more from a short text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/text/subwords.hpp>

namespace gradual {

/// A piece of a subword model.
struct SubwordPiece {
  std::string text;
  double score;      ///< of byte pairs: the higher, the earlier they are merged; else a log-probability
  bool used = true;  ///< what is not is split further
};

/// Cuts words by the pieces of a subword model, each time anew.
///
/// Byte pairs (BPE-dropout; Provilkov, Emelianenko and Voita 2020, algorithm 1): a word begins as letters. In
/// each step every merge that is possible is left out with probability p, and of the rest the one with the
/// highest score is made, the first of equal ones; where all are left out, the word is done. p = 0 cuts as
/// Subwords::split does, p = 1 into letters.
///
/// Unigrams (Kudo 2018, §3.3, with l = ∞): of all cuts x = (x₁ … x_M) of the word, one is drawn with
///
///     P(x) = Π p(x_i)^α / Σ over all cuts x' of Π p(x'_i)^α
///
/// by forward filtering and backward sampling. α = 1 takes the model at its word, α = 0 any cut like another.
///
/// A letter that is no piece is left as it is. The same stream of random numbers gives the same cuts, which
/// SentencePiece's own SampleEncode does not: each thread there has a stream that is seeded once.
class SubwordSampler {
 public:
  /// `strength` is p or α. Throws std::invalid_argument unless it lies in [0, 1], and without pieces.
  SubwordSampler(SubwordKind kind, std::vector<SubwordPiece> pieces, double strength);
  SubwordSampler(SubwordSampler&&) = default;  // of a copy, known_ would look into the first one
  SubwordSampler& operator=(SubwordSampler&&) = default;

  /// The pieces of a word. Throws std::invalid_argument where it is not UTF-8.
  std::vector<std::string> operator()(std::string_view word, Random& random) const;

 private:
  const SubwordPiece* find(std::string_view text) const;
  std::vector<std::string> merged(std::string_view word, const std::vector<std::size_t>& places,
                                  Random& random) const;
  std::vector<std::string> drawn(std::string_view word, const std::vector<std::size_t>& places,
                                 Random& random) const;

  SubwordKind kind_;
  double strength_;
  std::vector<SubwordPiece> pieces_;
  std::unordered_map<std::string_view, std::size_t> known_;  // where each stands among them
  double unknown_ = 0;                                       // what a letter counts that is no piece
  std::size_t longest_ = 0;                                  // piece, in bytes
};

}  // namespace gradual
