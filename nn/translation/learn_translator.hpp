// From sentence pairs to a translator that has still to be trained.
#pragma once

#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/text/tokenizer.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// A translator that knows nothing but both languages, learnt from these sentences; with `joint` they have
/// one vocabulary, and the target its own spacing. Throws what the pairs, learn_language() and Translator
/// throw.
Translator learn_translator(const ModelConfig& model, PairStream& pairs, const LanguageOptions& options = {},
                            bool joint = false, Random random = Random(1));

}  // namespace gradual
