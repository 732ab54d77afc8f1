// Using a trained model on text: `translate translate` and `translate score`.
#pragma once

#include <cstdint>
#include <string>

#include <gradual/nn/decoding/sample.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "settings.hpp"

struct TranslateSettings {
  std::string model = "out/toy/model.safetensors", input;
  gradual::BeamOptions search = gradual::usual_search();
  bool sampling = false;
  gradual::SamplingOptions chance;
  std::uint64_t seed = 1;
  bool json = false;
};

/// Translates a file or standard input line by line, or what a person types. A line that cannot be translated
/// is named on standard error and stays empty; after the last line, std::runtime_error says how many these
/// were.
void translate_text(const gradual::Translator& translator, const TranslateSettings& settings);

struct ScoreSettings {
  std::string model = "out/toy/model.safetensors", tsv;
  gradual::Index rivals = 0;
  bool json = false;
};

/// Says how likely a model holds given translations to be.
void score_translations(const ScoreSettings& settings);
