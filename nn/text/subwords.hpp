// Sentences as subwords: pieces of words, so that a word that was never seen is made of pieces that were.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gradual/core/names.hpp>
#include <gradual/core/real.hpp>
#include <gradual/nn/text/stream.hpp>

namespace gradual {

struct SubwordPiece;

enum class SubwordKind {
  bpe,     ///< byte-pair encoding: the most frequent neighbours are merged, again and again (Sennrich et al.
           ///< 2016)
  unigram  ///< the pieces under which the text is likeliest (Kudo 2018)
};
/// Their names.
inline const Names<SubwordKind>& subword_kinds() {
  static const Names<SubwordKind> names("subwords: the kind",
                                        {{"bpe", SubwordKind::bpe}, {"unigram", SubwordKind::unigram}});
  return names;
}

/// What kind of subwords, and how many.
struct SubwordOptions {
  SubwordKind kind = SubwordKind::bpe;  ///< how they are found
  Index size = 8000;                    ///< pieces, single characters among them
};

/// Finds the pieces that split these sentences best, and returns them as a model for Subwords. The same
/// sentences give the same model. SentencePiece holds all sentences in memory meanwhile. Throws
/// std::invalid_argument for sentences of nothing but spaces and for a size that is too small for their
/// characters or too large for their words, std::logic_error in a build without SentencePiece.
std::string train_subwords(Stream<std::string>& sentences, const SubwordOptions& options = {});
std::string train_subwords(const std::vector<std::string>& sentences, const SubwordOptions& options = {});

/// Splits by a trained model (SentencePiece; Kudo and Richardson 2018). A piece that begins a word starts
/// with ▁ (U+2581).
///
///     A translator translates.     ▁A ▁trans l at or ▁trans l ates .
class Subwords {
 public:
  /// Whether this build has SentencePiece.
  static bool available();

  /// With `known`, only those pieces are used: what others would spell is split further, as far as single
  /// letters (Sennrich et al. 2016, on pieces that a training text never shows). Throws
  /// std::invalid_argument for a model that is none, std::logic_error in a build without SentencePiece.
  explicit Subwords(const std::string& model, const std::vector<std::string>& known = {});
  /// The pieces of a sentence.
  std::vector<std::string> split(const std::string& sentence) const;
  /// The sentence that pieces spell. Those of another model begin words in the same way: two languages may
  /// share a vocabulary.
  std::string join(const std::vector<std::string>& pieces) const;
  /// The model as it splits: pieces that are not used are marked so.
  std::string model() const;

  // For cuts by chance; see SubwordSampler.

  /// How the pieces were found. Throws std::invalid_argument for a model of whole words or letters, and for
  /// one that spells by single bytes what no piece does.
  SubwordKind kind() const;
  /// All pieces that may be written, and those on the way to them.
  std::vector<SubwordPiece> pieces() const;
  /// The words of a sentence as pieces spell them, each with its ▁.
  std::vector<std::string> words(const std::string& sentence) const;

 private:
  struct Model;
  std::shared_ptr<const Model> model_;
};

}  // namespace gradual
