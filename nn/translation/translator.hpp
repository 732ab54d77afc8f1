// A trained translator: text in, text out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/decoding/hypothesis.hpp>
#include <gradual/nn/text/batches.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/text/vocabulary.hpp>
#include <gradual/nn/text/words.hpp>
#include <gradual/nn/transformer/transformer.hpp>

namespace gradual {

/// How sentences become tokens and come back.
struct TextSettings {
  bool lower_case = false;
  Spacing target_spacing = Spacing::plain;
};

/// The tokens of a sentence.
std::vector<std::string> tokenize(const std::string& sentence, const TextSettings& settings);

/// A model with the vocabularies and settings that its text needs.
class Translator {
 public:
  /// A new model; the configuration's vocabulary sizes are taken from the vocabularies. Throws
  /// std::invalid_argument.
  Translator(TransformerConfig config, Vocabulary source, Vocabulary target, TextSettings text,
             Random random);

  /// Reads what save() wrote. Throws FileError for a file that is not a translator of this format or is
  /// damaged.
  static Translator load(const std::string& path);
  /// Writes everything to one file in the safetensors format, wholly or not at all. Throws FileError.
  void save(const std::string& path) const;

  /// The ids of both sides.
  EncodedPair encode(const SentencePair& pair) const;
  /// The translations of sentences, by greedy search. Each has at most `max_length` words, and at most ten
  /// more than twice those of its sentence: a model that has learnt little repeats itself for ever. Switches
  /// dropout off.
  std::vector<std::string> translate(const std::vector<std::string>& sentences, Index max_length = 100) const;
  /// The words that a sentence is made of for the model: unknown ones stand for themselves.
  std::vector<std::string> source_tokens(const std::string& sentence) const {
    return tokenize(sentence, text_);
  }
  /// The tokens of a translation, before they are joined to a sentence.
  std::vector<std::vector<std::string>> translate_to_tokens(const std::vector<std::string>& sentences,
                                                            Index max_length = 100) const;
  std::string join(const std::vector<std::string>& tokens) const {
    return join_words(tokens, text_.target_spacing);
  }

  Transformer& model() const { return *model_; }
  const Vocabulary& source_vocabulary() const { return source_; }
  const Vocabulary& target_vocabulary() const { return target_; }
  const TextSettings& text_settings() const { return text_; }

 private:
  Vocabulary source_, target_;
  TextSettings text_;
  std::unique_ptr<Transformer> model_;
};

}  // namespace gradual
