// The settings of a Marian model and its tokenizer, as Hugging Face's config.json and tokenizer_config.json
// have them.
#pragma once

#include <cstdint>
#include <string>

#include <gradual/nn/transformer/config.hpp>

namespace gradual {

/// What a config.json says.
struct MarianSettings {
  TransformerConfig model;          ///< with the sizes of Marian's vocabularies
  bool scaled_embeddings = true;    ///< embeddings are multiplied by √D, as Gradual does
  std::int32_t begin = 0, end = 0;  ///< the ids of the token that the decoder starts from, and of the end
  std::int32_t padding = 0;
};

/// Reads the config.json of a model of type `marian`, or of type `pegasus`, which is the same with its norms
/// before the parts. Throws std::exception, with the name of the member, for one that says what a Transformer
/// is not.
MarianSettings settings_from_marian(const std::string& config_json);

/// What a tokenizer_config.json says; what it does not say is as transformers has it.
struct MarianTokenizer {
  std::string unknown = "<unk>", end = "</s>";  ///< the tokens for what is not known, and after a sentence
  bool separate_vocabularies = false;           ///< what is written has a target_vocab.json
};

/// Reads a tokenizer_config.json. Throws as settings_from_marian().
MarianTokenizer tokenizer_from_marian(const std::string& tokenizer_config_json);

/// The config.json of a transformer whose tokens keep their ids, and that takes so many of them, the end
/// among them. Throws std::invalid_argument, with the name of the setting, for what Marian has no word for.
std::string settings_to_marian(const TransformerConfig& config, Index places);
/// The settings of a search over its words, generation_config.json: those that stand for no text are not
/// written.
std::string search_for_marian();

}  // namespace gradual
