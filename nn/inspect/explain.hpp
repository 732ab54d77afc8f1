// Everything that there is to see of one translation.
#pragma once

#include <string>

#include <gradual/nn/inspect/explanation.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// Translates a sentence by beam search (a beam of 1 is greedy search) and collects what was explored and,
/// for each word of the best translation, its `rivals` likeliest rivals and its attention to the source: the
/// mean over the heads of the last layer. Throws what Translator::search throws.
Explanation explain(const Translator& translator, const std::string& sentence, const BeamOptions& options,
                    Index rivals = 5);

}  // namespace gradual
