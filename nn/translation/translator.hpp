// A trained translator: text in, text out.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/decoding/beam_search.hpp>
#include <gradual/nn/decoding/sample.hpp>
#include <gradual/nn/decoding/score.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/seq2seq/model.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/text/tokenizer.hpp>
#include <gradual/nn/transformer/config.hpp>
#include <gradual/nn/translation/shortlist.hpp>

namespace gradual {

/// A model with what its text needs on either side.
///
/// learn_translator() makes one for a corpus, a Trainer teaches it, save() and load() keep it in a file, and
/// translate() is what it is for.
class Translator {
 public:
  // ---- Make, load and save

  /// A new model: a TransformerConfig, a RecurrentConfig, or another kind of translation_models(). The sizes
  /// of its vocabularies are those of the languages; `random` gives its parameters their first numbers.
  /// Throws std::invalid_argument.
  Translator(const ModelConfig& config, Language source, Language target, Random random);
  /// A model of one's own. Throws std::invalid_argument for a null pointer.
  Translator(std::unique_ptr<TranslationModel> model, Language source, Language target);
  /// Reads what save() wrote: `Translator::load("translator.safetensors")`. Throws FileError for a file that
  /// is not a translator of a known format or is damaged, and, with the name that is missing, for a model of
  /// parts that the program has not added.
  static Translator load(const std::string& path);
  /// Writes everything to one file in the safetensors format, wholly or not at all. Throws FileError, and
  /// std::logic_error for a model that no file can describe: one of a kind without a description, or with a
  /// part that was put in by hand.
  void save(const std::string& path) const;
  /// What a program wants to find again in the file, such as the settings of training.
  const std::string& notes() const { return notes_; }
  /// Words that stand in its file, such as how it was trained.
  void set_notes(std::string notes) { notes_ = std::move(notes); }

  // ---- Translate

  /// The best translation of each sentence: `translate({"The small cat sleeps."})` gives
  /// `{"Le petit chat dort."}`.
  /// @param sentences what is translated, in the order of what is returned
  /// @param options how wide the search is, and more; greedy search unless others are given
  std::vector<std::string> translate(const std::vector<std::string>& sentences,
                                     const BeamOptions& options = greedy_options()) const;
  /// The `options.n_best` best translations of each sentence, as tokens; a beam of 1 is greedy search, with
  /// the same penalties and scores as a wider one. A translation has at most options.max_length tokens, and
  /// at most ten more than twice those of its sentence: a model that has learnt little repeats itself for
  /// ever. Sentences of like length go through the model together, up to 64 or some 16000 tokens of them
  /// (fewer where beams are wider than five), and none changes what another becomes. Nothing is dropped,
  /// whether the model is in training or not, and it stays so. This, translate(), draw() and score() can be
  /// called by several threads at once, while none trains the model.
  /// @param sentences what is translated; what is returned holds a list for each
  /// @param options beam_size: how many beginnings are kept in each step; n_best: how many translations
  ///   are returned; `BeamOptions()`: 5 and 1
  std::vector<std::vector<Hypothesis>> search(const std::vector<std::string>& sentences,
                                              const BeamOptions& options) const;
  /// The same by beam search for one sentence.
  /// @param sentence what is translated
  /// @param options as above
  /// @param tree receives what was explored, with its results in the order of what is returned
  std::vector<Hypothesis> search(const std::string& sentence, BeamOptions options, BeamTree& tree) const;
  /// Translations drawn by chance, as sample() does it; the sentences are shared among the threads, and a
  /// sentence's translation depends on its place in the list alone. Throws std::invalid_argument where there
  /// is a shortlist, and what that throws.
  /// @param sentences what is translated; what is returned holds one translation of each
  /// @param options how long a translation may be; `{}`: 100 tokens
  /// @param sampling among which words each is drawn; `{}`: among all, by their probabilities
  /// @param random what is drawn from: the same seed, the same translations
  std::vector<Hypothesis> draw(const std::vector<std::string>& sentences, const DecodingOptions& options,
                               const SamplingOptions& sampling, Random random) const;
  /// Several translations of each sentence, as ancestral_samples() draws them; the sentences are shared among
  /// the threads, and what is drawn depends on a sentence's place in the list alone. Throws
  /// std::invalid_argument for a count that is not from 1 to most_drawn, where there is a shortlist, and what
  /// that throws.
  /// @param sentences what is translated
  /// @param count how many translations of each are drawn
  /// @param options how long a translation may be; `{}`: 100 tokens
  /// @param temperature what logits are divided by: 1 draws by the model's own probabilities
  /// @param random what is drawn from
  std::vector<std::vector<Hypothesis>> draw(const std::vector<std::string>& sentences, Index count,
                                            const DecodingOptions& options, double temperature,
                                            Random random) const;
  /// A hypothesis as text. A word that the target vocabulary does not know is shown as a word of the source
  /// (Luong et al. 2015b): of those that the source vocabulary does not know either, or else of all, the one
  /// that was attended to most when it was written. A model without attention shows the reserved token as the
  /// tokenizer joins it: `<unk>`, or ⁇ among subwords.
  std::string text_of(const std::string& sentence, const Hypothesis& hypothesis) const;

  // ---- Judge

  /// How likely the model holds given translations to be, word by word:
  /// `score({{"The small cat sleeps.", "Le petit chat dort."}})`.
  /// @param pairs sentences with the translations that are judged
  /// @param rivals how many words to name that the model would rather have written, or nearly so, in the
  ///   place of each word: the likeliest others
  std::vector<ScoredTranslation> score(const std::vector<SentencePair>& pairs, Index rivals = 0) const;

  // ---- Settings of the search

  /// The likeliest word in each step.
  static BeamOptions greedy_options() {
    BeamOptions options;
    options.beam_size = 1;
    return options;
  }
  /// How well a translation leads back to its sentence, and how much that counts.
  struct Reverse {
    std::shared_ptr<const Translator> translator =
        nullptr;        ///< from the target to the source; null: this one
    double weight = 0;  ///< λ; 0: it does not count
  };
  /// From now on search() orders what a beam has found for a sentence X by how it leads there and back.
  ///
  ///     s(X, Y) = log P(Y | X) / lp(Y) + cp(X, Y) + λ·log P'(X | Y) / lp(X),
  ///
  /// where P' is the translator that leads back (Li and Jurafsky 2016; the channel of Yee, Dauphin and Auli
  /// 2019), and lp and cp are those of beam_search(). Those that came to no end stay behind the others, and
  /// one that nothing leads back from, as it is empty or too long, behind all that have an end. Greedy search
  /// has nothing to order. Throws std::invalid_argument for a weight that is negative or infinite, and where
  /// this translator is to lead back by itself and has two vocabularies.
  void set_reverse(Reverse reverse);
  /// What set_reverse() was given.
  const Reverse& reverse() const { return reverse_; }
  /// From now on search() writes words of a shortlist alone: those for the sentences that go through the
  /// model together, so that they share them, and what one becomes may depend on the others. Throws
  /// std::invalid_argument for a model that takes none, for one that was made for other vocabularies, and for
  /// words that the target vocabulary does not have.
  void set_shortlist(Shortlist shortlist);
  /// The words that search() chooses from for each sentence, if not all.
  const std::optional<Shortlist>& shortlist() const { return shortlist_; }

  // ---- Limits

  /// The most tokens of a sentence that is translated or scored, and of its translation: attention takes time
  /// by the square of their number, and learned positions and scores by location end at max_length. To
  /// translate, draw for or score a longer one throws std::invalid_argument.
  Index longest_sentence() const { return longest_sentence_; }
  /// Whether neither side is longer than longest_sentence().
  bool has_room_for(const EncodedPair& ids) const {
    return static_cast<Index>(std::max(ids.source.size(), ids.target.size())) <= longest_sentence();
  }
  /// Whether neither side of the pair is longer, in tokens.
  bool has_room_for(const SentencePair& pair) const { return has_room_for(encode(pair)); }
  /// The most translations of a sentence that are drawn at once: they go through the model together.
  static constexpr Index most_drawn = 10000;

  // ---- What it is made of

  /// The model, such as for its parameters.
  TranslationModel& model() const { return *model_; }
  /// What describes the model, such as a TransformerConfig: a Translator can be made of it anew.
  ModelConfig config() const { return model_->description(); }
  /// How what it reads becomes numbers.
  const Language& source() const { return source_; }
  /// How numbers become what it writes.
  const Language& target() const { return target_; }
  /// A pair of sentences as the numbers of their tokens, as the model reads them.
  EncodedPair encode(const SentencePair& pair) const {
    return {source_.encode(pair.source), target_.encode(pair.target)};
  }
  /// A number that tells the languages of both sides from others; never Shortlist::any.
  std::uint64_t vocabularies() const;

 private:
  /// The ids of a sentence; throws where it is too long.
  std::vector<std::int32_t> encode(const Language& language, const std::string& sentence) const;
  /// Translations of each sentence, drawn by sampled(source, options, random numbers).
  template <class Sample>
  std::vector<std::vector<Hypothesis>> draw_each(const std::vector<std::string>& sentences,
                                                 const DecodingOptions& options, Random random,
                                                 Sample sampled) const;
  std::vector<ScoredTranslation> score_with(const ScoringOptions& options,
                                            const std::vector<SentencePair>& pairs) const;
  Index longest_translation(const std::vector<std::int32_t>& source, Index most_words) const;
  /// Keeps the best of what was found for each sentence, in their order; returns which places these had.
  std::vector<std::vector<std::size_t>> order_by_both_ways(const std::vector<std::string>& sentences,
                                                           const BeamOptions& options,
                                                           std::vector<std::vector<Hypothesis>>& found) const;

  Language source_, target_;
  std::unique_ptr<TranslationModel> model_;
  std::vector<ChosenPart> parts_;  // that the model was made with
  ParameterShapes shapes_;         // that a description made
  Index longest_sentence_;
  std::string notes_;
  std::optional<Shortlist> shortlist_;
  Reverse reverse_;
};

}  // namespace gradual
