// GPT-2 (Radford et al. 2019) in Hugging Face's layout: config.json, model.safetensors, vocab.json and
// merges.txt (https://huggingface.co/docs/transformers/model_doc/gpt2).
#pragma once

#include <memory>
#include <string>

#include <gradual/nn/interchange/byte_pairs.hpp>
#include <gradual/nn/transformer/language_model.hpp>

namespace gradual {

/// A language model and how it cuts text.
struct Gpt2 {
  std::unique_ptr<LanguageModel> model;
  BytePairs text;
};

/// Reads a folder. A LanguageModel multiplies embeddings by √D and GPT-2 does not: they are divided by it,
/// and the last norm, whose output meets them again, is multiplied. What training drops is as
/// resid_pdrop and attn_pdrop say; embeddings have no share of their own. Throws FileError for a file that is
/// missing, damaged or larger than it says, and, with the name of the setting or the tensor, for what a
/// LanguageModel cannot be.
Gpt2 read_gpt2(const std::string& folder);

}  // namespace gradual
