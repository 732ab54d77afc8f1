#include <gradual/nn/transformer/config_json.hpp>

#include <gradual/nn/seq2seq/members_json.hpp>

namespace gradual {
namespace {

constexpr auto for_each_layer_member = [](auto& config, auto visit) {
  visit("width", config.width);
  visit("heads", config.heads);
  visit("key_value_heads", config.key_value_heads);
  visit("feed_forward", config.feed_forward);
  visit("dropout", config.dropout);
  visit("attention_dropout", config.attention_dropout);
  visit("feed_forward_dropout", config.feed_forward_dropout, Newer{});
  visit("norm_kind", config.norm_kind);
  visit("activation", config.activation);
  visit("attention_layer", config.attention_layer);
  visit("attention", config.attention);
  visit("positions", config.positions);
  visit("max_length", config.max_length);
  visit("window", config.window);
};

constexpr auto for_each_stack_member = [](auto& config, auto visit) {
  for_each_layer_member(config, visit);
  visit("layers", config.layers);
  visit("layer", config.layer);
  visit("norm", config.norm, norm_places());
};

constexpr auto for_each_transformer_member = [](auto& config, auto visit) {
  for_each_layer_member(config, visit);
  visit("encoder_layers", config.encoder_layers);
  visit("decoder_layers", config.decoder_layers);
  visit("encoder_layer", config.encoder_layer);
  visit("decoder_layer", config.decoder_layer);
  visit("shared_embeddings", config.shared_embeddings);
  visit("tied_output", config.tied_output);
  visit("output_bias", config.output_bias, Newer{});
  visit("word_dropout", config.word_dropout, Newer{});
  visit("norm", config.norm, norm_places());
};

}  // namespace

std::string config_to_json(const TransformerConfig& config) {
  return members_to_json(config, for_each_transformer_member);
}
std::string config_to_json(const StackConfig& config) {
  return members_to_json(config, for_each_stack_member);
}
TransformerConfig transformer_config_from_json(const std::string& json) {
  return config_from_json<TransformerConfig>(json, for_each_transformer_member);
}
StackConfig stack_config_from_json(const std::string& json) {
  return config_from_json<StackConfig>(json, for_each_stack_member);
}

ModelConfig description_of(const TransformerConfig& config) {
  return {"transformer", config_to_json(config)};
}

}  // namespace gradual
