#include <gradual/nn/transformer/config_json.hpp>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("transformer configuration: every member comes back from its text") {
  TransformerConfig config;
  config.width = 96;
  config.heads = 6;
  config.feed_forward = 100;
  config.encoder_layers = 1;
  config.decoder_layers = 5;
  config.dropout = 0.25;
  config.attention_dropout = 0.125;
  config.word_dropout = 0.0625;
  config.feed_forward_dropout = 0.5;
  config.attention = "general";
  config.norm = NormPlace::after;
  config.activation = "gelu";
  config.positions = "alibi";
  config.max_length = 77;
  config.window = 9;
  config.shared_embeddings = true;
  config.tied_output = false;
  config.key_value_heads = 3;
  config.norm_kind = "rms_norm";
  config.attention_layer = "mine";
  config.encoder_layer = "reader";
  config.decoder_layer = "writer";
  const TransformerConfig read = transformer_config_from_json(config_to_json(config));
  CHECK(read.width == 96);
  CHECK(read.heads == 6);
  CHECK(read.feed_forward == 100);
  CHECK(read.encoder_layers == 1);
  CHECK(read.decoder_layers == 5);
  CHECK(read.dropout == 0.25);
  CHECK(read.attention_dropout == 0.125);
  CHECK(read.word_dropout == 0.0625);
  CHECK(read.feed_forward_dropout == 0.5);
  CHECK(read.attention == "general");
  CHECK(read.norm == NormPlace::after);
  CHECK(read.activation == "gelu");
  CHECK(read.positions == "alibi");
  CHECK(read.max_length == 77);
  CHECK(read.window == 9);
  CHECK(read.shared_embeddings);
  CHECK_FALSE(read.tied_output);
  CHECK(read.key_value_heads == 3);
  CHECK(read.norm_kind == "rms_norm");
  CHECK(read.attention_layer == "mine");
  CHECK(read.encoder_layer == "reader");
  CHECK(read.decoder_layer == "writer");
}

TEST_CASE("stack configuration: every member comes back from its text") {
  StackConfig config;
  config.width = 96;
  config.layers = 7;
  config.layer = "mine";
  config.norm = NormPlace::after;
  const StackConfig read = stack_config_from_json(config_to_json(config));
  CHECK(read.width == 96);
  CHECK(read.layers == 7);
  CHECK(read.layer == "mine");
  CHECK(read.norm == NormPlace::after);
}

TEST_CASE("transformer configuration: text that is none is refused") {
  CHECK_THROWS(transformer_config_from_json("no JSON"));
  CHECK_THROWS(transformer_config_from_json("{}"));
}
