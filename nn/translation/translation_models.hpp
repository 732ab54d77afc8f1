// The models that a program can choose from to translate, by the names of their kinds.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <gradual/core/random.hpp>
#include <gradual/nn/part.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// Makes a model with new parameters from the settings of its kind and the sizes of its vocabularies.
using MakeTranslationModel = std::function<std::unique_ptr<TranslationModel>(
    const std::string& settings, Index source_vocabulary, Index target_vocabulary, Random random)>;
/// The kinds: transformer, recurrent, and those that a program adds.
Registry<MakeTranslationModel>& translation_models();

/// The model that a configuration describes. Throws std::invalid_argument for an unknown kind, bad settings,
/// and for a kind that makes nothing.
std::unique_ptr<TranslationModel> make_model(const ModelConfig& config, Index source_vocabulary,
                                             Index target_vocabulary, Random random);

/// Throws std::invalid_argument for an unknown kind, and std::logic_error when a model of another class, such
/// as one derived from Transformer, says that it is of a kind of the library's: its file would make another
/// model.
void check_kind(const TranslationModel& model, const std::string& kind);

}  // namespace gradual
