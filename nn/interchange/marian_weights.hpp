// The parameters of a transformer under Marian's names.
//
//   encoder.0.self_attention.weight      model.encoder.layers.0.self_attn.{q,k,v}_proj.weight
//   decoder.0.around_cross.norm.gain     model.decoder.layers.0.encoder_attn_layer_norm.weight
//
// The two order the width of the model differently: sinusoids stand in pairs here, sin and cos of one
// frequency in columns 2i and 2i + 1 (Vaswani et al. 2017, §3.5), and in halves there, in columns i and D/2 +
// i. Nothing else depends on that order, so all that runs along the width is rearranged.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/interchange/marian_settings.hpp>
#include <gradual/nn/interchange/marian_text.hpp>
#include <gradual/nn/transformer/transformer.hpp>

namespace gradual {

/// The tensors of a model's weights, for words that keep their ids.
TensorFile weights_to_marian(Transformer& model);

/// Gives a model, made by settings.model with our vocabularies and an output bias, the weights of a file.
/// Throws std::invalid_argument for a tensor that is missing, has another shape, or has no place in a
/// transformer, by its name.
void set_weights_from_marian(Transformer& model, const MarianSettings& settings, const TensorFile& file,
                             const WordOrder& source_words, const WordOrder& target_words);

}  // namespace gradual
