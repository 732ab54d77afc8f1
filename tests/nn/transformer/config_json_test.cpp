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
  config.attention = "general";
  config.norm = NormPlace::after;
  config.activation = Activation::gelu;
  config.positions = PositionKind::alibi;
  config.max_length = 77;
  config.window = 9;
  config.shared_embeddings = true;
  config.tied_output = false;
  const TransformerConfig read = config_from_json(config_to_json(config));
  CHECK(read.width == 96);
  CHECK(read.heads == 6);
  CHECK(read.feed_forward == 100);
  CHECK(read.encoder_layers == 1);
  CHECK(read.decoder_layers == 5);
  CHECK(read.dropout == 0.25);
  CHECK(read.attention_dropout == 0.125);
  CHECK(read.attention == "general");
  CHECK(read.norm == NormPlace::after);
  CHECK(read.activation == Activation::gelu);
  CHECK(read.positions == PositionKind::alibi);
  CHECK(read.max_length == 77);
  CHECK(read.window == 9);
  CHECK(read.shared_embeddings);
  CHECK_FALSE(read.tied_output);
}

TEST_CASE("transformer configuration: text of before there was a choice of scores means scaled_dot") {
  std::string text = config_to_json(TransformerConfig());
  const std::string choice = ",\"attention\":\"scaled_dot\"";
  REQUIRE(text.find(choice) != std::string::npos);
  text.erase(text.find(choice), choice.size());
  CHECK(config_from_json(text).attention == "scaled_dot");
}

TEST_CASE("transformer configuration: text that is none is refused") {
  CHECK_THROWS(config_from_json("no JSON"));
  CHECK_THROWS(config_from_json("{}"));
}
