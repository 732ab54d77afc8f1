#include <gradual/nn/transformer/config_json.hpp>

#include <nlohmann/json.hpp>

namespace gradual {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

std::string config_to_json(const TransformerConfig& config) {
  Json json;
  for_each_number(config, [&](const char* key, const auto& value) { json[key] = value; });
  json["norm"] = norm_places().name(config.norm);
  json["activation"] = activations().name(config.activation);
  json["positions"] = position_kinds().name(config.positions);
  json["window"] = config.window;
  json["attention"] = config.attention;
  return json.dump();
}

TransformerConfig config_from_json(const std::string& json_text) {
  const Json json = Json::parse(json_text);
  TransformerConfig config;
  for_each_number(config, [&](const char* key, auto& value) { json.at(key).get_to(value); });
  config.norm = norm_places().value(json.at("norm"));
  config.activation = activations().value(json.at("activation"));
  config.positions = position_kinds().value(json.at("positions"));
  // Files of before there were windows, and a choice of scores, say nothing of them.
  config.window = json.value("window", Index(0));
  config.attention = json.value("attention", "scaled_dot");
  return config;
}

}  // namespace gradual
