#include <gradual/nn/inspect/transformer_picture.hpp>

#include <algorithm>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

TransformerConfig small_config() {
  TransformerConfig config;
  config.source_vocabulary = 30;
  config.target_vocabulary = 40;
  config.width = 12;
  config.heads = 3;
  config.feed_forward = 50;
  config.encoder_layers = 5;
  config.decoder_layers = 7;
  return config;
}

std::vector<std::string> texts(const TransformerConfig& config) {
  std::vector<std::string> result;
  for (const XmlElement& element : XmlDocument(draw_transformer(config)).all("text"))
    result.push_back(element.text);
  return result;
}

long count(const std::vector<std::string>& texts, const std::string& wanted) {
  return std::count(texts.begin(), texts.end(), wanted);
}

}  // namespace

TEST_CASE("transformer picture: the three places of attention stand out from the other parts") {
  const XmlDocument document(draw_transformer(small_config()));
  long highlighted = 0;
  for (const XmlElement& box : document.all("rect", "self")) highlighted += box.number("width") == 200;
  CHECK(highlighted == 3);
  const auto words = texts(small_config());
  for (const char* name : {"self-attention", "causal self-attention", "cross-attention"})
    CHECK(count(words, name) == 1);
}

TEST_CASE("transformer picture: layers, heads and widths are those of the configuration") {
  const auto words = texts(small_config());
  CHECK(count(words, "× 5") == 1);
  CHECK(count(words, "× 7") == 1);
  CHECK(count(words, "3 heads of 4") == 3);
  CHECK(count(words, "12 → 50 → 12") == 2);
  CHECK(count(words, "30 × 12") == 1);
  CHECK(count(words, "40 × 12") == 1);
  CHECK(count(words, "12 → 40, tied") == 1);
}

TEST_CASE("transformer picture: the name of each part stands in its box") {
  const XmlDocument document(draw_transformer(small_config()));
  int named = 0;
  for (const XmlElement& text : document.all("text")) {
    if (text.text.find("attention") == std::string::npos && text.text != "feed-forward") continue;
    ++named;
    bool inside = false;
    for (const XmlElement& box : document.all("rect")) {
      if (box["rx"].empty() || box.number("height") > 80) continue;
      const double x = text.number("x") - box.number("x"), y = text.number("y") - box.number("y");
      inside = inside || (x > 0 && x < box.number("width") && y > 0 && y < box.number("height"));
    }
    INFO(text.text);
    CHECK(inside);
  }
  CHECK(named >= 5);
}

TEST_CASE("transformer picture: norms before the parts need one more at the end of each stack") {
  TransformerConfig config = small_config();
  CHECK(count(texts(config), "layer norm") == 7);
  config.norm = NormPlace::after;
  CHECK(count(texts(config), "layer norm") == 5);
}

TEST_CASE("transformer picture: places are told with the embeddings or in self-attention") {
  TransformerConfig config = small_config();
  CHECK(count(texts(config), "embedding + positions") == 2);
  config.positions = "alibi";
  config.window = 9;
  CHECK(count(texts(config), "embedding") == 2);
  CHECK(count(texts(config), "3 heads of 4, alibi, window 9") == 2);
  CHECK(count(texts(config), "3 heads of 4") == 1);
}

TEST_CASE("transformer picture: a score that is not the usual one stands with the heads") {
  TransformerConfig config = small_config();
  config.attention = "cosine";
  CHECK(count(texts(config), "3 heads of 4, cosine") == 3);
}

TEST_CASE("transformer picture: a bad configuration is refused") {
  TransformerConfig config = small_config();
  config.heads = 5;
  CHECK_THROWS_AS(draw_transformer(config), std::invalid_argument);
}
