// A translator as one file: the parameters as tensors, everything else as JSON in the metadata.
#include <gradual/nn/translation/translator.hpp>

#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>

namespace gradual {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_key = "gradual_translator";
constexpr int newest_format = 1;

const std::map<NormPlace, std::string> norm_names = {{NormPlace::before, "before"},
                                                     {NormPlace::after, "after"}};
const std::map<Activation, std::string> activation_names = {{Activation::relu, "relu"},
                                                            {Activation::gelu, "gelu"}};
const std::map<Spacing, std::string> spacing_names = {{Spacing::plain, "plain"}, {Spacing::french, "french"}};

template <class Value>
Value value_named(const std::map<Value, std::string>& names, const std::string& wanted) {
  for (const auto& [value, name] : names) {
    if (name == wanted) return value;
  }
  throw std::invalid_argument("unknown name \"" + wanted + "\"");
}

// Calls visit(key, member) for each number of a configuration: one list for writing and for reading.
template <class Config, class Visit>
void for_each_number(Config& config, Visit visit) {
  visit("width", config.width);
  visit("heads", config.heads);
  visit("feed_forward", config.feed_forward);
  visit("encoder_layers", config.encoder_layers);
  visit("decoder_layers", config.decoder_layers);
  visit("dropout", config.dropout);
  visit("attention_dropout", config.attention_dropout);
  visit("max_length", config.max_length);
  visit("shared_embeddings", config.shared_embeddings);
  visit("tied_output", config.tied_output);
}

Json to_json(const TransformerConfig& config) {
  Json json;
  for_each_number(config, [&](const char* key, const auto& value) { json[key] = value; });
  json["norm"] = norm_names.at(config.norm);
  json["activation"] = activation_names.at(config.activation);
  json["positions"] = to_string(config.positions);
  json["window"] = config.window;
  return json;
}

TransformerConfig config_from(const Json& json) {
  TransformerConfig config;
  for_each_number(config, [&](const char* key, auto& value) { json.at(key).get_to(value); });
  config.norm = value_named(norm_names, json.at("norm"));
  config.activation = value_named(activation_names, json.at("activation"));
  config.positions = position_kind(json.at("positions"));
  config.window = json.value("window", Index(0));  // files of before there were windows say nothing
  return config;
}

}  // namespace

void Translator::save(const std::string& path) const {
  const Json description = {{"model", to_json(model_->config())},
                            {"lower_case", text_.lower_case},
                            {"target_spacing", spacing_names.at(text_.target_spacing)},
                            {"source_vocabulary", source_.tokens()},
                            {"target_vocabulary", target_.tokens()}};
  TensorFile file;
  file.metadata[format_key] = std::to_string(newest_format);
  file.metadata["description"] = description.dump();
  for (const NamedParameter& parameter : parameters(*model_))
    file.tensors.emplace_back(parameter.name, parameter.variable.value());
  save_tensors(path, file);
}

Translator Translator::load(const std::string& path) {
  const TensorFile file = load_tensors(path);
  const auto format = file.metadata.find(format_key);
  if (format == file.metadata.end())
    throw FileError(path,
                    "not a translator: there is no \"" + std::string(format_key) + "\" in its metadata");
  if (format->second != std::to_string(newest_format))
    throw FileError(path, "written by another version of the program: format " + format->second +
                              ", this program reads " + std::to_string(newest_format));
  try {
    const Json description = Json::parse(file.metadata.at("description"));
    TextSettings settings{description.at("lower_case"),
                          value_named(spacing_names, description.at("target_spacing"))};
    Translator translator(config_from(description.at("model")),
                          Vocabulary(description.at("source_vocabulary").get<std::vector<std::string>>()),
                          Vocabulary(description.at("target_vocabulary").get<std::vector<std::string>>()),
                          settings, Random(0));
    set_parameters(parameters(*translator.model_), file.tensors);
    return translator;
  } catch (const std::exception& error) {  // JSON that is not as expected, sizes that do not fit
    throw FileError(path, std::string("damaged: ") + error.what());
  }
}

}  // namespace gradual
