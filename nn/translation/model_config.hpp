// The models that a program can choose from to translate.
#pragma once

#include <memory>
#include <variant>

#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/transformer.hpp>

namespace gradual {

/// What describes a translation model of any kind.
using ModelConfig = std::variant<TransformerConfig, RecurrentConfig>;

/// The model that a configuration describes, with new parameters. Throws std::invalid_argument for a bad one.
std::unique_ptr<TranslationModel> make_model(const ModelConfig& config, Random random);

}  // namespace gradual
