// What a translator attended to, as maps that can be drawn.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/inspect/run_page.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// Translates a sentence and collects the attention of every head in every layer: the encoder's own, the
/// decoder's own, and the decoder's to the source. Cross-attention is labelled with the words that were being
/// written. Searches greedily, or with other options.
SentenceAttention attention_of(const Translator& translator, const std::string& sentence,
                               const BeamOptions& options = Translator::greedy_options());

/// All of it as JSON: for each kind `name` and `layers`, of heads with `queries`, `keys` and `weights`, a row
/// for each query.
std::string attention_json(const SentenceAttention& attention);

/// The attention to the source while a given translation is written, a map for each layer: the mean of its
/// heads. Empty for a model without any.
std::vector<AttentionMap> maps_to_source(const Translator& translator, const SentencePair& pair);

/// The same for each head: [layer][head].
std::vector<std::vector<AttentionMap>> head_maps_to_source(const Translator& translator,
                                                           const SentencePair& pair);

}  // namespace gradual
