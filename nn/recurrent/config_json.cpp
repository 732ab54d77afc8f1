#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/seq2seq/members_json.hpp>

namespace gradual {
namespace {

constexpr auto for_each_setting = [](auto& config, auto visit) {
  visit("cell", config.cell, cell_kinds());
  visit("embedding_width", config.embedding_width);
  visit("hidden_width", config.hidden_width);
  visit("attention", config.attention);
  visit("dropout", config.dropout);
  visit("word_dropout", config.word_dropout, Newer{});
  visit("max_length", config.max_length);
  visit("shared_embeddings", config.shared_embeddings);
  visit("tied_output", config.tied_output);
};

}  // namespace

ModelConfig description_of(const RecurrentConfig& config) {
  return {"recurrent", members_to_json(config, for_each_setting)};
}

RecurrentConfig recurrent_config_from_json(const std::string& json) {
  return config_from_json<RecurrentConfig>(json, for_each_setting);
}

}  // namespace gradual
