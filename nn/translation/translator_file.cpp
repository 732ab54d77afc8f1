// A translator as one file: the parameters as tensors, everything else as JSON in the metadata.
#include <gradual/nn/translation/translator.hpp>

#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/transformer/config_json.hpp>

namespace gradual {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_key = "gradual_translator";
constexpr int newest_format = 2;

// Calls visit(key, member) for each member of a configuration but the kind of cell: one list for writing and
// for reading.
template <class Config, class Visit>
void for_each_member(Config& config, Visit visit) {
  visit("embedding_width", config.embedding_width);
  visit("hidden_width", config.hidden_width);
  visit("attention", config.attention);
  visit("dropout", config.dropout);
  visit("max_length", config.max_length);
  visit("shared_embeddings", config.shared_embeddings);
  visit("tied_output", config.tied_output);
}

Json to_json(const TransformerConfig& config) {
  Json json = Json::parse(config_to_json(config));
  json["kind"] = "transformer";
  return json;
}

Json to_json(const RecurrentConfig& config) {
  Json json = {{"kind", "recurrent"}, {"cell", cell_kinds().name(config.cell)}};
  for_each_member(config, [&](const char* key, const auto& value) { json[key] = value; });
  return json;
}

RecurrentConfig recurrent_config_from(const Json& json) {
  RecurrentConfig config;
  config.cell = cell_kinds().value(json.at("cell"));
  for_each_member(config, [&](const char* key, auto& value) { json.at(key).get_to(value); });
  return config;
}

ModelConfig config_from(const Json& json) {
  const std::string kind = json.at("kind");
  if (kind == "transformer") return config_from_json(json.dump());
  if (kind == "recurrent") return recurrent_config_from(json);
  throw std::invalid_argument("unknown kind of model \"" + kind + "\"");
}

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

// What a file of format 1, which knew transformers and words alone, says in today's format.
Json upgraded(const Json& old) {
  const auto side = [&](const Json& spacing, const char* vocabulary) {
    return Json{{"units", "words"},
                {"lower_case", old.at("lower_case")},
                {"spacing", spacing},
                {"vocabulary", old.at(vocabulary)}};
  };
  Json description = {{"model", old.at("model")},
                      {"source", side("plain", "source_vocabulary")},
                      {"target", side(old.at("target_spacing"), "target_vocabulary")}};
  description["model"]["kind"] = "transformer";
  return description;
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
  const Json description = {
      {"model", std::visit([](const auto& config) { return to_json(config); }, config_)},
      {"source", to_json(source_)},
      {"target", to_json(target_)}};
  TensorFile file;
  file.metadata[format_key] = std::to_string(newest_format);
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
  const std::string format = metadata(format_key), newest = std::to_string(newest_format);
  if (format.empty())
    throw FileError(path, text("not a translator: there is no \"", format_key, "\" in its metadata"));
  if (format != "1" && format != newest)
    throw FileError(path, "written by a newer version of the program: format " + format +
                              ", this program reads up to " + newest);
  if (metadata("description").empty())
    throw FileError(path, "damaged: there is no \"description\" in its metadata");
  try {
    Json description = Json::parse(metadata("description"));
    if (format == "1") description = upgraded(description);
    Translator translator(config_from(description.at("model")), language_from(description.at("source")),
                          language_from(description.at("target")), Random(0));
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
