#include <gradual/nn/language/character_model.hpp>

#include <utility>

#include <gradual/nn/json.hpp>
#include <gradual/nn/language/continuation.hpp>
#include <gradual/nn/model_file.hpp>
#include <gradual/nn/transformer/config_json.hpp>

namespace gradual {
namespace {

constexpr ModelFormat format{"character model", "gradual_character_model", "2"};

StackConfig with_size(StackConfig config, Index characters) {
  config.vocabulary = characters;
  return config;
}

}  // namespace

CharacterModel::CharacterModel(const StackConfig& config, Characters characters, Random random)
    : characters_(std::move(characters)),
      model_(std::make_unique<LanguageModel>(with_size(config, characters_.size()), random)),
      parts_(chosen_parts(*model_)),
      shapes_(shapes_of(parameters(*model_))) {}

std::string CharacterModel::write_on(const std::string& prompt, Index length, const SamplingOptions& options,
                                     Random random) const {
  const EvaluationScope evaluation;
  return characters_.decode(continuation(*model_, characters_.encode(prompt), length, options, random));
}

void CharacterModel::save(const std::string& path) const {
  check_parts("character model", parts_, chosen_parts(*model_));
  check_shapes("character model", shapes_, shapes_of(parameters(*model_)));
  save_model(
      path, format,
      {{"model", config_to_json(model_->config())}, {"characters", json_text(Json(characters_.list()))}},
      parameters(*model_));
}

CharacterModel CharacterModel::load(const std::string& path) {
  return load_model(path, format, [](const TensorFile& file) {
    const nlohmann::json characters = read_json(metadata_of(file, "characters"));
    CharacterModel loaded(stack_config_from_json(metadata_of(file, "model")),
                          Characters(characters.get<std::vector<std::string>>()), Random(0));
    set_parameters(parameters(*loaded.model_), file.tensors);
    return loaded;
  });
}

}  // namespace gradual
