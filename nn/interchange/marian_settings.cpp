#include <gradual/nn/interchange/marian_settings.hpp>

#include <gradual/nn/interchange/activations.hpp>
#include <gradual/nn/interchange/expressible.hpp>
#include <gradual/nn/seq2seq/members_json.hpp>
#include <gradual/nn/text/vocabulary.hpp>

namespace gradual {
namespace {

template <class Value>
Value member(const nlohmann::json& json, const char* key) {
  Value value{};
  read_member(json, key, value);
  return value;
}

// What may be left out, and then has the value that transformers gives it.
template <class Value>
Value member(const nlohmann::json& json, const char* key, Value otherwise) {
  if (json.contains(key) && !json.at(key).is_null()) read_member(json, key, otherwise);
  return otherwise;
}

std::int32_t token_id(const nlohmann::json& json, const char* key, Index vocabulary) {
  const Index id = member<Index>(json, key);
  if (id < 0 || id >= vocabulary)
    throw std::invalid_argument(
        text("marian: ", key, " must be the id of one of ", vocabulary, " tokens: got ", id));
  return static_cast<std::int32_t>(id);
}

// Encoder and decoder may differ there in what is one setting here.
Index same_on_both_sides(const nlohmann::json& json, const char* of_encoder, const char* of_decoder) {
  const Index encoder = member<Index>(json, of_encoder), decoder = member<Index>(json, of_decoder);
  if (encoder != decoder)
    throw std::invalid_argument(
        text("marian: ", of_encoder, " and ", of_decoder, " must be equal: got ", encoder, " and ", decoder));
  return encoder;
}

// A token is a string, or an object with how it is found in a text. Null is as if it were not there.
void read_token(const nlohmann::json& json, const char* key, std::string& token) {
  if (!json.contains(key) || json.at(key).is_null()) return;
  const nlohmann::json& value = json.at(key);
  const nlohmann::json& content =
      value.is_object() && value.contains("content") ? value.at("content") : value;
  if (!content.is_string())
    throw std::invalid_argument(
        text("marian: ", key, " must be a string or an object with \"content\": got ", json_text(value)));
  content.get_to(token);
}

}  // namespace

MarianSettings settings_from_marian(const std::string& config_json) {
  const nlohmann::json json = read_json(config_json);
  MarianSettings settings;
  TransformerConfig& model = settings.model;
  const auto type = member<std::string>(json, "model_type");
  model.norm =
      name_here("marian", "model_type", type, {{"after", "marian"}, {"before", "pegasus"}}) == "after"
          ? NormPlace::after
          : NormPlace::before;
  model.width = member<Index>(json, "d_model");
  model.encoder_layers = member<Index>(json, "encoder_layers");
  model.decoder_layers = member<Index>(json, "decoder_layers");
  model.heads = same_on_both_sides(json, "encoder_attention_heads", "decoder_attention_heads");
  model.feed_forward = same_on_both_sides(json, "encoder_ffn_dim", "decoder_ffn_dim");
  model.activation = name_here("marian", "activation_function",
                               member<std::string>(json, "activation_function", "gelu"), activation_names());
  model.dropout = member<double>(json, "dropout", 0.1);
  model.attention_dropout = member<double>(json, "attention_dropout", 0.0);
  model.feed_forward_dropout = member<double>(json, "activation_dropout", 0.0);
  model.max_length = member<Index>(json, "max_position_embeddings", 1024);
  model.shared_embeddings =  // which Pegasus always does
      model.norm == NormPlace::before || member<bool>(json, "share_encoder_decoder_embeddings", true);
  model.tied_output = member<bool>(json, "tie_word_embeddings", true);
  model.source_vocabulary = member<Index>(json, "vocab_size");
  model.target_vocabulary = member<Index>(json, "decoder_vocab_size", model.source_vocabulary);
  settings.scaled_embeddings = member<bool>(json, "scale_embedding", false);
  settings.begin = token_id(json, "decoder_start_token_id", model.target_vocabulary);
  settings.padding = token_id(json, "pad_token_id", model.target_vocabulary);
  settings.end = token_id(json, "eos_token_id", model.target_vocabulary);
  if (settings.begin == settings.end)
    throw std::invalid_argument(
        text("marian: decoder_start_token_id must not be eos_token_id: both are ", settings.end));
  if (const char* key = "forced_bos_token_id"; json.contains(key))  // the first word of each translation
    require_setting("marian", key, json_text(json.at(key)), std::string("null"));
  model.check();
  return settings;
}

MarianTokenizer tokenizer_from_marian(const std::string& tokenizer_config_json) {
  const nlohmann::json json = read_json(tokenizer_config_json);
  MarianTokenizer tokenizer;
  read_token(json, "unk_token", tokenizer.unknown);
  read_token(json, "eos_token", tokenizer.end);
  tokenizer.separate_vocabularies = member<bool>(json, "separate_vocabs", false);
  return tokenizer;
}

std::string settings_to_marian(const TransformerConfig& config, Index places) {
  const bool before = config.norm == NormPlace::before;
  const char* format = "marian";
  require_setting(format, "positions", config.positions, "sinusoidal");
  require_plain_attention(format, config);
  require_setting(format, "norm_kind", config.norm_kind, "layer_norm");
  if (before && !config.shared_embeddings)
    throw std::invalid_argument(
        "marian: a model with its norms before must share its embeddings, as Pegasus does: this model's are "
        "separate");
  Json json = {
      {"model_type", before ? "pegasus" : "marian"},
      {"architectures", {before ? "PegasusForConditionalGeneration" : "MarianMTModel"}},
      {"is_encoder_decoder", true},
      {"vocab_size", config.source_vocabulary},
      {"decoder_vocab_size", config.target_vocabulary},
      {"d_model", config.width},
      {"encoder_layers", config.encoder_layers},
      {"decoder_layers", config.decoder_layers},
      {"encoder_attention_heads", config.heads},
      {"decoder_attention_heads", config.heads},
      {"encoder_ffn_dim", config.feed_forward},
      {"decoder_ffn_dim", config.feed_forward},
      {"activation_function", name_there(format, "activation", config.activation, activation_names())},
      {"dropout", config.dropout},
      {"attention_dropout", config.attention_dropout},
      {"activation_dropout", config.dropped_in_feed_forward()},
      {"scale_embedding", true},
      {"share_encoder_decoder_embeddings", config.shared_embeddings},
      {"tie_word_embeddings", config.tied_output},
      {"max_position_embeddings", places},
      {"pad_token_id", Vocabulary::pad},
      {"bos_token_id", Vocabulary::bos},
      {"decoder_start_token_id", Vocabulary::bos},
      {"eos_token_id", Vocabulary::eos},
      {"forced_eos_token_id", nullptr}};
  return json_text(json, 2) + "\n";
}

std::string search_for_marian() {
  const Json json = {{"pad_token_id", Vocabulary::pad},
                     {"bos_token_id", Vocabulary::bos},
                     {"decoder_start_token_id", Vocabulary::bos},
                     {"eos_token_id", Vocabulary::eos},
                     {"bad_words_ids", {{Vocabulary::pad}, {Vocabulary::bos}}},
                     {"max_length", 512}};  // as Opus-MT's: a model that repeats itself does so for as long
  return json_text(json, 2) + "\n";
}

}  // namespace gradual
