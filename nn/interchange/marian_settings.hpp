// The settings of a Marian model, as Hugging Face's config.json has them.
#pragma once

#include <cstdint>
#include <string>

#include <gradual/nn/transformer/config.hpp>

namespace gradual {

/// What a config.json says.
struct MarianSettings {
  TransformerConfig model;        ///< with the sizes of Marian's vocabularies
  bool scaled_embeddings = true;  ///< embeddings are multiplied by √D, as Gradual does
  bool separate_vocabularies = false;
  std::int32_t begin = 0, end = 0;  ///< the ids of the token that the decoder starts from, and of the end
  std::int32_t padding = 0;
};

/// Reads the config.json of a model of type `marian`, or of type `pegasus`, which is the same with its norms
/// before the parts. Throws std::exception, with the name of the member, for one that says what a Transformer
/// is not.
MarianSettings settings_from_marian(const std::string& config_json);

/// The config.json of a transformer whose tokens keep their ids. Throws std::invalid_argument, with the name
/// of the setting, for what Marian has no word for.
std::string settings_to_marian(const TransformerConfig& config);
/// The settings of a search over its words, generation_config.json: those that stand for no text are not
/// written.
std::string search_for_marian(const TransformerConfig& config);

}  // namespace gradual
