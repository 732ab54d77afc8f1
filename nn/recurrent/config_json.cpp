#include <nlohmann/json.hpp>

#include <gradual/nn/recurrent/translator.hpp>

namespace gradual {
namespace {

using Json = nlohmann::ordered_json;

// Calls visit(key, member) for each member but the kind of cell: one list for writing and for reading.
template <class Config, class Visit>
void for_each_setting(Config& config, Visit visit) {
  visit("embedding_width", config.embedding_width);
  visit("hidden_width", config.hidden_width);
  visit("attention", config.attention);
  visit("dropout", config.dropout);
  visit("max_length", config.max_length);
  visit("shared_embeddings", config.shared_embeddings);
  visit("tied_output", config.tied_output);
}

}  // namespace

ModelConfig description_of(const RecurrentConfig& config) {
  Json json = {{"cell", cell_kinds().name(config.cell)}};
  for_each_setting(config, [&](const char* key, const auto& value) { json[key] = value; });
  return {"recurrent", json.dump()};
}

RecurrentConfig recurrent_config_from_json(const std::string& json_text) {
  const Json json = Json::parse(json_text);
  RecurrentConfig config;
  config.cell = cell_kinds().value(json.at("cell"));
  for_each_setting(config, [&](const char* key, auto& value) { json.at(key).get_to(value); });
  return config;
}

}  // namespace gradual
