// Using a trained model on text: `translate translate` and `translate score`.
#pragma once

#include <cstdint>
#include <string>

#include <gradual/nn/translation/evaluation.hpp>
#include <gradual/nn/translation/translated_lines.hpp>

struct TranslateSettings : gradual::LineOptions {
  TranslateSettings() { search = gradual::usual_search(); }
  std::string model = "out/toy/model.safetensors", reverse_model, input, output;
  std::uint64_t seed = 1;
};

/// Translates a file or standard input line by line, or what a person types. A line that cannot be translated
/// is named on standard error and stays empty; after the last line, std::runtime_error says how many these
/// were. With an output it goes on where an earlier run was ended.
void translate_text(const gradual::Translator& translator, const TranslateSettings& settings);

struct ScoreSettings {
  std::string model = "out/toy/model.safetensors", tsv, output;
  gradual::Index rivals = 0;
  bool json = false;
};

/// Says how likely a model holds given translations to be. A pair that is too long is named and stays empty,
/// as above.
void score_translations(const ScoreSettings& settings);
