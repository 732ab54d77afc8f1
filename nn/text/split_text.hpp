// A text with some of its sentences held back, without holding all of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <gradual/nn/text/corpus.hpp>

namespace gradual {

/// How much of a text is held back, and what is left out.
struct SplitOptions {
  Index max_words = 0;                 ///< leave out pairs with more on either side; 0: none
  Index held_out = 0, validation = 0;  ///< distinct source sentences to hold back
  std::uint64_t seed = 1;              ///< of what is held out
  /// So much of a text may be held out: where it is short, fewer than wanted, but at least one.
  double largest_share = 1;
  bool both_ways = false;   ///< each pair is trained on the other way round, too
  bool lower_case = false;  ///< the model takes a capital for its small letter
};

/// The words of a sentence, each with a space behind it: the same for sentences that no model of words can
/// tell apart, such as two with other spaces, with another apostrophe (’ and ') or, where it reads lower
/// case, with other capitals. Throws std::invalid_argument when the sentence is not valid UTF-8.
std::string as_it_is_read(const std::string& sentence, bool lower_case);

/// The pairs of a text that are to be trained on, as a stream, and those that are not, in memory. The seed
/// chooses among distinct source sentences, each with all its translations: a source that stood on both sides
/// would be tested on what was learnt by heart. So would one that a model reads alike: such sources go with
/// one that is chosen, and there are as many more. Everything keeps the order of the text.
///
/// Goes through the text twice, and holds a byte for each pair and, while it chooses, two hashes of each
/// source. Two sources of the same hash would go the same way; among n sources that happens with a chance of
/// n²/2^65. Both ways, the pairs to train on come first as they are and then, in the same order, turned
/// round; but for those whose target is a source that is held back, which is trained on in neither direction.
class SplitText final : public PairStream {
 public:
  /// Throws what the text throws, and std::invalid_argument when a number is negative, too few sources are
  /// left to train on, or one to choose from is not valid UTF-8; both ways, a target, too.
  SplitText(std::unique_ptr<PairStream> pairs, const SplitOptions& options);

  bool next(SentencePair& pair) override;
  void rewind() override;
  /// Those pairs alone that are not turned round. Reading them is reading the text: who goes on with it
  /// rewinds it.
  class AsWritten final : public PairStream {
   public:
    explicit AsWritten(SplitText& text) : text_(text) {}
    bool next(SentencePair& pair) override { return !text_.turned_ && text_.next_as_written(pair); }
    void rewind() override { text_.rewind(); }

   private:
    SplitText& text_;
  };
  AsWritten as_written() { return AsWritten(*this); }
  /// The number of pairs to train on, those that are turned round among them.
  Index size() const { return count(Use::training) * (both_ways_ ? 2 : 1) + count(Use::one_way); }
  /// How many pairs were left out for their length.
  Index too_long() const { return count(Use::none); }
  /// The pairs for testing.
  const std::vector<SentencePair>& held_out() const { return held_out_; }
  /// The pairs for validation.
  const std::vector<SentencePair>& validation() const { return validation_; }

 private:
  // Of a pair to train on, one_way says that it is not turned round.
  enum class Use : std::uint8_t { none, training, one_way, held_out, validation };
  Index count(Use use) const;
  std::unordered_map<std::uint64_t, Use> keep_together(const std::vector<std::uint64_t>& read);
  bool next_as_written(SentencePair& pair);
  bool turn();

  std::unique_ptr<PairStream> text_;
  std::vector<Use> uses_;  // of each pair
  std::size_t row_ = 0;    // of the next pair
  bool both_ways_, turned_ = false;
  std::vector<SentencePair> held_out_, validation_;
};

}  // namespace gradual
