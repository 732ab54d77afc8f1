// What a model looks at in the source while it writes a given translation.
#pragma once

#include <vector>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// The attention to the source of each layer, first to last, while the target's tokens are written: [1, H, T,
/// S], with the end tokens in T and S. Empty for a model without any.
std::vector<Tensor> attention_to_source(const TranslationModel& model, const EncodedPair& pair);

}  // namespace gradual
