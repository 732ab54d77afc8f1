#include <gradual/nn/inspect/transformer_picture.hpp>

#include <algorithm>
#include <cstdio>
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

TEST_CASE("transformer picture: a part holds its name above its sizes, and a norm its name alone") {
  const XmlDocument document(draw_transformer(small_config()));
  int parts = 0, norms = 0;
  for (const XmlElement& box : document.all("rect")) {
    if (box["rx"].empty() || box.number("width") != 200) continue;
    std::vector<double> lines;
    for (const XmlElement& text : document.all("text")) {
      const double x = text.number("x") - box.number("x"), y = text.number("y") - box.number("y");
      if (x > 0 && x < box.number("width") && y > 0 && y < box.number("height")) lines.push_back(y);
    }
    const bool is_part = box.number("height") >= 40;
    ++(is_part ? parts : norms);
    CAPTURE(box.number("x"), box.number("y"));
    REQUIRE(lines.size() == (is_part ? 2 : 1));
    if (is_part) CHECK(lines[1] >= lines[0] + 13);  // of letters of 13 pixels at most
  }
  CHECK(parts == 8);  // two embeddings, two parts of the encoder, three of the decoder, and the output
  CHECK(norms == 7);
}

TEST_CASE("transformer picture: the lines up a column follow each other, and none lies on another") {
  TransformerConfig config = small_config();
  for (const NormPlace norm : {NormPlace::before, NormPlace::after}) {
    config.norm = norm;
    struct Rise {
      double x, from, to;
    };
    std::vector<Rise> rises;
    for (const XmlElement& line : XmlDocument(draw_transformer(config)).all("path", "edges")) {
      Rise rise{};
      char rest = 0;
      if (std::sscanf(line["d"].c_str(), "M%lf %lfV%lf%c", &rise.x, &rise.from, &rise.to, &rest) == 3)
        rises.push_back(rise);
    }
    CHECK(rises.size() >= 16);
    for (const Rise& rise : rises) {
      CAPTURE(rise.x, rise.from, rise.to);
      CHECK(rise.from > rise.to);
      CHECK(std::count_if(rises.begin(), rises.end(), [&](const Rise& other) {
              return other.x == rise.x && other.from > rise.to && other.to < rise.from;
            }) == 1);  // itself
    }
  }
}

TEST_CASE("transformer picture: keys and values enter cross-attention in the middle of its side") {
  TransformerConfig config = small_config();
  for (const NormPlace norm : {NormPlace::before, NormPlace::after}) {
    config.norm = norm;
    const XmlDocument document(draw_transformer(config));
    const auto boxes = document.all("rect", "self");
    REQUIRE(boxes.size() == 3);
    const XmlElement& cross = boxes[2];  // from below: of the encoder, causal, cross-attention
    double x = 0, y = 0;
    int heads = 0;
    for (const XmlElement& head : document.all("path", "self")) {
      if (head["d"].find("l-7 -4v8z") == std::string::npos) continue;  // it points up
      ++heads;
      REQUIRE(std::sscanf(head["d"].c_str(), "M%lf %lf", &x, &y) == 2);
    }
    REQUIRE(heads == 1);
    CHECK(x == cross.number("x"));
    CHECK(y == cross.number("y") + cross.number("height") / 2);
  }
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
