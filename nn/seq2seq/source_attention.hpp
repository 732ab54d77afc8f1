// What a model looks at in the source while it writes a given translation.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// The attention to the source of each layer, first to last, while the target's tokens are written: [1, H, T,
/// S], with the end tokens in T and S. Empty for a model without any.
std::vector<Tensor> attention_to_source(const TranslationModel& model, const EncodedPair& pair);

/// Calls `look` with the place of each of the target's tokens that `is_meant`, and with the attention [S]
/// that the heads of the last layer together pay to the source before they write it; never for a model
/// without any. Long sentences are gone through word by word, so that they take no more memory than a search.
void each_look_at_source(const TranslationModel& model, const EncodedPair& pair,
                         const std::function<bool(std::int32_t token)>& is_meant,
                         const std::function<void(std::size_t place, const Tensor& attention)>& look);

}  // namespace gradual
