#include <gradual/nn/language/character_model.hpp>

#include <utility>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/language/continuation.hpp>
#include <gradual/nn/transformer/config_json.hpp>

namespace gradual {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_key = "gradual_character_model";
constexpr const char* format = "2";

StackConfig with_size(StackConfig config, Index characters) {
  config.vocabulary = characters;
  return config;
}

}  // namespace

CharacterModel::CharacterModel(const StackConfig& config, Characters characters, Random random)
    : characters_(std::move(characters)),
      model_(std::make_unique<LanguageModel>(with_size(config, characters_.size()), random)),
      parts_(chosen_parts(*model_)) {}

std::string CharacterModel::write_on(const std::string& prompt, Index length, const SamplingOptions& options,
                                     Random random) const {
  const EvaluationScope evaluation;
  return characters_.decode(continuation(*model_, characters_.encode(prompt), length, options, random));
}

void CharacterModel::save(const std::string& path) const {
  check_parts("character model", parts_, chosen_parts(*model_));
  TensorFile file;
  file.metadata = {{format_key, format},
                   {"model", config_to_json(model_->config())},
                   {"characters", Json(characters_.list()).dump()}};
  for (const NamedParameter& parameter : parameters(*model_))
    file.tensors.emplace_back(parameter.name, parameter.variable.value());
  save_tensors(path, file);
}

CharacterModel CharacterModel::load(const std::string& path) {
  const TensorFile file = load_tensors(path);
  const auto found = file.metadata.find(format_key);
  if (found == file.metadata.end())
    throw FileError(path, text("not a character model: there is no \"", format_key, "\" in its metadata"));
  if (found->second != format)
    throw FileError(path, "written by another version of the program: format " + found->second +
                              ", this program reads " + format);
  try {
    const Json characters = Json::parse(file.metadata.at("characters"));
    CharacterModel loaded(stack_config_from_json(file.metadata.at("model")),
                          Characters(characters.get<std::vector<std::string>>()), Random(0));
    set_parameters(parameters(*loaded.model_), file.tensors);
    return loaded;
  } catch (const std::invalid_argument& error) {  // parts that are not known, sizes that do not fit
    throw FileError(path, std::string("cannot be used: ") + error.what());
  } catch (const std::exception& error) {  // JSON that is not as expected
    throw FileError(path, std::string("damaged: ") + error.what());
  }
}

}  // namespace gradual
