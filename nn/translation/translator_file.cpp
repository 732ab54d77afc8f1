// A translator as one file: the parameters as tensors, everything else as JSON in the metadata.
#include <gradual/nn/translation/translator.hpp>

#include <utility>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/translation/translation_models.hpp>

namespace gradual {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_key = "gradual_translator";
constexpr const char* known_format = "3";

// The metadata are text, and the subword model is bytes.
std::string to_hex(const std::string& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string hex;
  for (unsigned char byte : bytes) {
    hex += digits[byte / 16];
    hex += digits[byte % 16];
  }
  return hex;
}

std::string from_hex(const std::string& hex) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    throw std::runtime_error("the subword model is not in hexadecimal digits");
  };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(16 * digit(hex[i]) + digit(hex[i + 1]));
  return bytes;
}

Json to_json(const Language& language) {
  const TokenizerSettings& settings = language.tokenizer.settings();
  Json json = {{"units", text_units().name(settings.units)},
               {"lower_case", settings.lower_case},
               {"spacing", spacings().name(settings.spacing)}};
  if (!settings.subword_model.empty()) json["subword_model"] = to_hex(settings.subword_model);
  json["vocabulary"] = language.vocabulary.tokens();
  return json;
}

Language language_from(const Json& json) {
  TokenizerSettings settings;
  settings.units = text_units().value(json.at("units"));
  settings.lower_case = json.at("lower_case");
  settings.spacing = spacings().value(json.at("spacing"));
  if (json.contains("subword_model")) settings.subword_model = from_hex(json.at("subword_model"));
  return {Tokenizer(settings), Vocabulary(json.at("vocabulary").get<std::vector<std::string>>())};
}

void set_model(const Translator& translator, const TensorFile& file) {
  try {
    set_parameters(parameters(translator.model()), file.tensors);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(text("the model does not fit its settings or its vocabularies of ",
                                     translator.source().vocabulary.size(), " and ",
                                     translator.target().vocabulary.size(), " tokens: ", error.what()));
  }
}

}  // namespace

void Translator::save(const std::string& path) const {
  const ModelConfig config = model_->description();
  if (config.kind.empty())
    throw std::logic_error("translator: only a model that has a description() can be saved");
  translation_models().at(config.kind);  // which a program must have added to read the file again
  check_parts("translator", parts_, chosen_parts(*model_));
  const Json description = {{"kind", config.kind},
                            {"model", Json::parse(config.settings)},
                            {"source", to_json(source_)},
                            {"target", to_json(target_)}};
  TensorFile file;
  file.metadata[format_key] = known_format;
  file.metadata["description"] = description.dump();
  file.metadata["notes"] = notes_;
  for (const NamedParameter& parameter : parameters(*model_))
    file.tensors.emplace_back(parameter.name, parameter.variable.value());
  save_tensors(path, file);
}

Translator Translator::load(const std::string& path) {
  const TensorFile file = load_tensors(path);
  const auto metadata = [&](const char* key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? "" : found->second;
  };
  const std::string format = metadata(format_key);
  if (format.empty())
    throw FileError(path, text("not a translator: there is no \"", format_key, "\" in its metadata"));
  if (format != known_format)
    throw FileError(path, "written by another version of the program: format " + format +
                              ", this program reads " + known_format);
  if (metadata("description").empty())
    throw FileError(path, "damaged: there is no \"description\" in its metadata");
  try {
    const Json description = Json::parse(metadata("description"));
    Translator translator({description.at("kind"), description.at("model").dump()},
                          language_from(description.at("source")), language_from(description.at("target")),
                          Random(0));
    set_model(translator, file);
    translator.notes_ = metadata("notes");
    return translator;
  } catch (const std::logic_error& error) {  // not built with what the file needs, or sizes that do not fit
    throw FileError(path, std::string("cannot be used: ") + error.what());
  } catch (const std::exception& error) {  // JSON that is not as expected
    throw FileError(path, std::string("damaged: ") + error.what());
  }
}

}  // namespace gradual
