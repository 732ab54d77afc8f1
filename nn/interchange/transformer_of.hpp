// The transformer in a translator, for formats that know no other model.
#pragma once

#include <gradual/nn/transformer/transformer.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// Throws std::invalid_argument, in the name of the format, for a model of another kind and for one with
/// parts that were put in by hand.
Transformer& transformer_of(const Translator& translator, const char* format);

}  // namespace gradual
