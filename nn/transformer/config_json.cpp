#include <gradual/nn/transformer/config_json.hpp>

#include <map>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace gradual {
namespace {

using Json = nlohmann::ordered_json;

const std::map<NormPlace, std::string> norm_names = {{NormPlace::before, "before"},
                                                     {NormPlace::after, "after"}};
const std::map<Activation, std::string> activation_names = {{Activation::relu, "relu"},
                                                            {Activation::gelu, "gelu"}};

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

}  // namespace

std::string config_to_json(const TransformerConfig& config) {
  Json json;
  for_each_number(config, [&](const char* key, const auto& value) { json[key] = value; });
  json["norm"] = norm_names.at(config.norm);
  json["activation"] = activation_names.at(config.activation);
  json["positions"] = to_string(config.positions);
  json["window"] = config.window;
  json["attention"] = config.attention;
  return json.dump();
}

TransformerConfig config_from_json(const std::string& json_text) {
  const Json json = Json::parse(json_text);
  TransformerConfig config;
  for_each_number(config, [&](const char* key, auto& value) { json.at(key).get_to(value); });
  config.norm = value_named(norm_names, json.at("norm"));
  config.activation = value_named(activation_names, json.at("activation"));
  config.positions = position_kind(json.at("positions"));
  // Files of before there were windows, and a choice of scores, say nothing of them.
  config.window = json.value("window", Index(0));
  config.attention = json.value("attention", "scaled_dot");
  return config;
}

}  // namespace gradual
