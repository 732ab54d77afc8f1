// A trained model of text, character by character: text in, text out.
#pragma once

#include <memory>
#include <string>

#include <gradual/nn/decoding/token_choice.hpp>
#include <gradual/nn/language/characters.hpp>
#include <gradual/nn/transformer/language_model.hpp>

namespace gradual {

/// A language model with the characters that its ids stand for.
class CharacterModel {
 public:
  /// A new model; the configuration's vocabulary size is that of the characters. Throws
  /// std::invalid_argument.
  CharacterModel(const StackConfig& config, Characters characters, Random random);

  /// Reads what save() wrote. Throws FileError for a file that is not a character model or is damaged.
  static CharacterModel load(const std::string& path);
  /// Writes everything to one file in the safetensors format, wholly or not at all. Throws FileError, and
  /// std::logic_error for a model with a part that was put in by hand.
  void save(const std::string& path) const;

  /// The `length` characters with which the model goes on from a prompt (see continuation()). Nothing is
  /// dropped. Throws std::invalid_argument for a character that the model does not know, too.
  std::string write_on(const std::string& prompt, Index length, const SamplingOptions& options,
                       Random random) const;

  /// The model, such as for its parameters.
  LanguageModel& model() const { return *model_; }
  /// The characters that it knows.
  const Characters& characters() const { return characters_; }

 private:
  Characters characters_;
  std::unique_ptr<LanguageModel> model_;
  std::vector<ChosenPart> parts_;  // that the model was made with
  ParameterShapes shapes_;
};

}  // namespace gradual
