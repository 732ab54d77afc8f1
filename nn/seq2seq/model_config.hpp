// What describes a translation model of any kind.
#pragma once

#include <string>
#include <utility>

namespace gradual {

/// The kind of a model, by which translation_models() knows how to make one, and its settings, a JSON object
/// that only that kind reads. The sizes of the vocabularies are not among them: they come with the text.
struct ModelConfig {
  std::string kind;             // such as "transformer": see nn/translation/translation_models.hpp
  std::string settings = "{}";  // its configuration as JSON

  ModelConfig() = default;
  ModelConfig(std::string of_kind, std::string with) : kind(std::move(of_kind)), settings(std::move(with)) {}
  /// From the configuration of one kind, for which there is a description_of().
  template <class Config, class = decltype(description_of(std::declval<const Config&>()))>
  ModelConfig(const Config& config) : ModelConfig(description_of(config)) {}
};

}  // namespace gradual
