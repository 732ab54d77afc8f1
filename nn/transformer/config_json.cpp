#include <gradual/nn/transformer/config_json.hpp>

#include <type_traits>

#include <nlohmann/json.hpp>

namespace gradual {
namespace {

using Json = nlohmann::ordered_json;

// Each calls visit(key, member) for the members of a configuration: one list for writing and for reading.
template <class Config, class Visit>
void for_each_layer_member(Config& config, Visit visit) {
  visit("width", config.width);
  visit("heads", config.heads);
  visit("key_value_heads", config.key_value_heads);
  visit("feed_forward", config.feed_forward);
  visit("dropout", config.dropout);
  visit("attention_dropout", config.attention_dropout);
  visit("norm_kind", config.norm_kind);
  visit("activation", config.activation);
  visit("attention_layer", config.attention_layer);
  visit("attention", config.attention);
  visit("positions", config.positions);
  visit("max_length", config.max_length);
  visit("window", config.window);
}

template <class Config, class Visit>
void for_each_member(Config& config, Visit visit) {
  for_each_layer_member(config, visit);
  if constexpr (std::is_base_of_v<StackConfig, Config>) {
    visit("layers", config.layers);
    visit("layer", config.layer);
  } else {
    visit("encoder_layers", config.encoder_layers);
    visit("decoder_layers", config.decoder_layers);
    visit("encoder_layer", config.encoder_layer);
    visit("decoder_layer", config.decoder_layer);
    visit("shared_embeddings", config.shared_embeddings);
    visit("tied_output", config.tied_output);
  }
}

template <class Config>
std::string to_json(const Config& config) {
  Json json;
  for_each_member(config, [&](const char* key, const auto& value) { json[key] = value; });
  json["norm"] = norm_places().name(config.norm);
  return json.dump();
}

template <class Config>
Config from_json(const std::string& json_text) {
  const Json json = Json::parse(json_text);
  Config config;
  for_each_member(config, [&](const char* key, auto& value) { json.at(key).get_to(value); });
  config.norm = norm_places().value(json.at("norm"));
  return config;
}

}  // namespace

std::string config_to_json(const TransformerConfig& config) { return to_json(config); }
std::string config_to_json(const StackConfig& config) { return to_json(config); }
TransformerConfig transformer_config_from_json(const std::string& json) {
  return from_json<TransformerConfig>(json);
}
StackConfig stack_config_from_json(const std::string& json) { return from_json<StackConfig>(json); }

ModelConfig description_of(const TransformerConfig& config) {
  return {"transformer", config_to_json(config)};
}

}  // namespace gradual
