// Translators in the layout of Hugging Face's Marian: a folder with config.json, model.safetensors,
// vocab.json, source.spm and target.spm (https://huggingface.co/docs/transformers/model_doc/marian).
//
// Marian (Junczys-Dowmunt et al. 2018) is the transformer of Vaswani et al. 2017, with a bias on the scores
// of words. The translators of Opus-MT (Tiedemann and Thottingal 2020) are published so.
#pragma once

#include <string>

#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// Reads a folder. Throws FileError for a file that is missing, damaged or larger than it says, and, with the
/// name of the setting or the tensor, for what a Transformer cannot be.
Translator read_marian(const std::string& folder);

/// Writes a folder that read_marian() and transformers read: the type is `marian` for norms after the parts,
/// `pegasus` for norms before them. Words keep their ids, and the subword models are those that the
/// vocabularies leave. Throws std::invalid_argument, with the name of the setting, for what Marian has no
/// word for, and FileError.
void write_marian(const Translator& translator, const std::string& folder);

}  // namespace gradual
