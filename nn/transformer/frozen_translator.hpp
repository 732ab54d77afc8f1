// A translator so small that a pencil can follow it, with weights as training left them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gradual/nn/transformer/transformer.hpp>

namespace gradual {

/// A transformer of width 4 that knows six sentences, from "il fait froid", it is cold, to "elle a chaud",
/// she is hot. Its weights are rounded to two decimals.
struct FrozenTranslator {
  std::vector<std::string> source_words, target_words;  ///< by their ids
  Transformer model;                                    ///< with its weights
};

/// Two heads of width 2, a layer in each stack, feed-forward networks of inner width 8; no vocabularies yet.
TransformerConfig frozen_translator_config();

/// The translator whose weights lie beside this file, in frozen_translator.conf.
FrozenTranslator frozen_translator();
/// One of the same sizes from such a text: the words of `source` and of `target`, and each parameter by its
/// name, a line for each row. Throws std::invalid_argument for a text that is none.
FrozenTranslator read_frozen_translator(std::string_view text);

/// The ids of words. Throws std::invalid_argument for a word that is not in the list.
std::vector<std::int32_t> ids_of(const std::vector<std::string>& words,
                                 const std::vector<std::string>& known);

}  // namespace gradual
