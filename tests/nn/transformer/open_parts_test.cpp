// Parts of a program's own in the library's models.
#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/inspect/alignment.hpp>
#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/language/character_model.hpp>
#include <gradual/nn/transformer/config_json.hpp>
#include <gradual/nn/transformer/transformer.hpp>
#include <gradual/nn/translation/translation_models.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "nn/transformer/four_words.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// Only the one function that an attention must have.
struct PlainAttention : AttentionLayer {
  PlainAttention(const AttentionLayerSettings& s, Random random) : inner(s, random) {}
  void visit(Visitor& visitor) override { inner.visit(visitor); }
  using AttentionLayer::operator();
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    return inner(x, memory, mask);
  }

  MultiHeadAttention inner;
};

// The same of layers.
struct PlainEncoder : EncoderBlock {
  PlainEncoder(const LayerConfig& config, Random random, const std::string& name)
      : inner(config, random, name) {}
  void visit(Visitor& visitor) override { inner.visit(visitor); }
  Var operator()(const Var& x, const AttentionMask& mask) const override { return inner(x, mask); }

  EncoderLayer inner;
};
struct PlainDecoder : DecoderBlock {
  PlainDecoder(const LayerConfig& config, Random random, const std::string& name)
      : inner(config, random, name) {}
  void visit(Visitor& visitor) override { inner.visit(visitor); }
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    return inner(x, memory, mask);
  }

  DecoderLayer inner;
};

// Added once, under names that no other test asks for.
void add_plain_parts() {
  static const bool added = [] {
    attention_layers().add("test_plain", [](const AttentionLayerSettings& s, Random random) {
      return PlainAttention(s, random);
    });
    encoder_layers().add("test_plain", [](const LayerConfig& c, Random random, const std::string& name) {
      return PlainEncoder(c, random, name);
    });
    decoder_layers().add("test_plain", [](const LayerConfig& c, Random random, const std::string& name) {
      return PlainDecoder(c, random, name);
    });
    return true;
  }();
  static_cast<void>(added);
}

// With learned positions.
TransformerConfig small_learned() {
  TransformerConfig config;
  config.width = 16;
  config.heads = 4;
  config.feed_forward = 24;
  config.encoder_layers = config.decoder_layers = 2;
  config.positions = "learned";
  config.max_length = 40;
  return config;
}

// What a translator finds and how it scores it, which shows whether two compute the same.
std::vector<double> answers_of(const Translator& translator) {
  BeamOptions beam;
  beam.beam_size = 3;
  std::vector<double> answers;
  for (const auto& found : translator.search(sentences, beam))
    answers.push_back(found.front().log_probability);
  for (const auto& scored : translator.score({{"the cat", "sleeps . the"}, {".", "cat"}}))
    answers.push_back(scored.log_probability);
  return answers;
}

Translator translator_of(const ModelConfig& config) {
  return Translator(config, four_words, four_words, Random(5));
}

void check_close(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == Approx(b[i]).margin(1e-4));
}

}  // namespace

TEST_CASE("open parts: attention and layers of one function write word by word as they read at once") {
  add_plain_parts();
  const std::vector<double> expected = answers_of(translator_of(small_learned()));
  TransformerConfig config = small_learned();
  SECTION("attention") { config.attention_layer = "test_plain"; }
  SECTION("encoder layers") { config.encoder_layer = "test_plain"; }
  SECTION("decoder layers") { config.decoder_layer = "test_plain"; }
  SECTION("all") { config.attention_layer = config.encoder_layer = config.decoder_layer = "test_plain"; }
  check_close(answers_of(translator_of(config)), expected);
}

TEST_CASE("open parts: a model of an encoder layer of one's own writes on as it reads at once") {
  add_plain_parts();
  StackConfig config;
  config.width = 16;
  config.positions = "rotary";
  config.vocabulary = 11;
  config.layer = "test_plain";
  const LanguageModel model(config, Random(1));
  const EvaluationScope evaluation;
  const Indices ids({2, 5}, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3});
  const Tensor whole = model.logits(ids).value();
  LanguageModel::State state;
  for (Index t = 0; t < 5; ++t)
    CHECK(difference(model.next(Indices({2}, {ids[t], ids[5 + t]}), state),
                     slice(whole, 1, t, t + 1).reshaped({2, -1})) == "");
}

TEST_CASE("open parts: what is saved with parts of one's own is loaded with them") {
  add_plain_parts();
  const TestFolder folder;
  TransformerConfig config = small_learned();
  config.attention_layer = config.decoder_layer = "test_plain";
  config.norm_kind = "rms_norm";
  config.activation = "swiglu";
  config.key_value_heads = 2;
  const Translator translator = translator_of(config);
  translator.save(folder / "model");
  const Translator loaded = Translator::load(folder / "model");
  CHECK(answers_of(loaded) == answers_of(translator));
  CHECK(loaded.config().settings == translator.config().settings);
  CHECK(attention_of(loaded, sentences[0]).kinds.size() == 3);
}

TEST_CASE("open parts: a file with a part that the program does not have names it and the registry") {
  const TestFolder folder;
  struct {
    const char* member;
    const char* registry;
  } const parts[] = {{"attention", "score_kinds().add"},
                     {"positions", "position_kinds().add"},
                     {"norm_kind", "norms().add"},
                     {"activation", "feed_forwards().add"},
                     {"attention_layer", "attention_layers().add"},
                     {"encoder_layer", "encoder_layers().add"},
                     {"decoder_layer", "decoder_layers().add"}};
  for (const auto& part : parts) {
    INFO(part.member);
    std::string settings = translator_of(small_learned()).config().settings;
    const std::string key = "\"" + std::string(part.member) + "\":\"";
    const std::size_t at = settings.find(key) + key.size();
    settings.replace(at, settings.find('"', at) - at, "unheard_of");
    CHECK_THROWS_WITH(translator_of(ModelConfig("transformer", settings)),
                      Contains("\"unheard_of\"") && Contains(part.registry));
  }
  CHECK_THROWS_WITH(translator_of(ModelConfig("unheard_of", "{}")),
                    Contains("\"unheard_of\"") && Contains("translation_models().add"));
}

TEST_CASE("open parts: a model with a part that was put in by hand translates, but is not saved as another") {
  const TestFolder folder;
  const Translator translator = translator_of(small_learned());
  auto& model = dynamic_cast<Transformer&>(translator.model());
  const std::vector<double> before = answers_of(translator);
  SECTION("a layer") {
    model.encoder[1].as<EncoderLayer>().feed_forward = RmsNorm(16);
    CHECK_THROWS_WITH(translator.save(folder / "model"),
                      Contains("encoder.1.feed_forward is now one without a name"));
  }
  SECTION("a layer of another name") {
    model.decoder[0].as<DecoderLayer>().around_cross.norm = make_norm("rms_norm", 16, Random(1));
    CHECK_THROWS_WITH(translator.save(folder / "model"),
                      Contains("decoder.0.around_cross.norm is now \"rms_norm\""));
  }
  SECTION("a score") {
    auto& attention = model.encoder[0].as<EncoderLayer>().self_attention.as<MultiHeadAttention>();
    for (Index head = 0; head < 4; ++head)
      attention.scored_heads.emplace_back(make_score("cosine", {4, 4}, Random(1)), 0, Random(1));
    CHECK_THROWS_WITH(translator.save(folder / "model"), Contains("encoder.0.self_attention.heads.0.score"));
  }
  CHECK(answers_of(translator) != before);
}

TEST_CASE("open parts: a registry takes a name once, and a part is what it is taken for") {
  CHECK_THROWS_WITH(norms().add("rms_norm", [](Index width, Random) { return RmsNorm(width); }),
                    "norm: the name must be a new one: \"rms_norm\" is taken");
  CHECK_THROWS_AS(norms().add("", [](Index width, Random) { return RmsNorm(width); }), std::invalid_argument);
  const Part<Layer> norm = make_norm("rms_norm", 4, Random(1));
  CHECK(norm.as<RmsNorm>().gain.shape() == Shape{4});
  CHECK_THROWS_WITH(norm.as<LayerNorm>(), Contains("it is \"rms_norm\""));
}

TEST_CASE("multi-head attention: with fewer heads of keys and values it is as with each of them repeated") {
  constexpr Index width = 8, heads = 4, d = 2, groups = 2;
  const MultiHeadAttention grouped(width, heads, 0, Random(1), "attention", {"rotary"}, {}, groups);
  MultiHeadAttention whole(width, heads, 0, Random(2), "attention", {"rotary"});
  CHECK(grouped.weight.shape() == Shape{width + 2 * groups * d, width});
  std::vector<Tensor> rows{grouped.weight.value().rows(0, width)};
  for (Index start : {width, width + groups * d})
    for (Index head = 0; head < heads; ++head) {
      const Index first = start + head / (heads / groups) * d;
      rows.push_back(grouped.weight.value().rows(first, first + d));
    }
  whole.weight.set_value(concat(rows, 0));
  whole.output = grouped.output;
  const Var x = random_tensor({2, 5, width}, 1), memory = random_tensor({2, 3, width}, 2);
  AttentionMask causal;
  causal.causal = true;
  CHECK(difference(grouped(x, causal).value(), whole(x, causal).value()) == "");
  CHECK(difference(grouped(x, memory).value(), whole(x, memory).value()) == "");
  KeyValueCache cache;
  for (Index t = 0; t < 5; ++t)
    CHECK(difference(grouped.next(slice(x, 1, t, t + 1), cache).value(),
                     slice(whole(x, causal).value(), 1, t, t + 1)) == "");
  const Var word = slice(x, 1, 0, 1);
  CHECK(difference(grouped.attend(word, grouped.remember(memory)).value(), whole(word, memory).value()) ==
        "");
  CHECK_THROWS_WITH(MultiHeadAttention(8, 4, 0, Random(1), "attention", {}, {}, 3),
                    "multi-head attention: the heads of keys and values must divide the heads: 3 of keys and "
                    "values, 4 heads");
}

// By hand: 2·silu and the values of x = (1, -2): the mean square is 2.5.
TEST_CASE("rms norm and swiglu: values by hand") {
  RmsNorm norm(2, 0);
  norm.gain.set_value(Tensor({2}, {1, 10}));
  const Tensor y = norm(Tensor({1, 2}, {1, -2})).value();
  CHECK(y({0, 0}) == Approx(1 / std::sqrt(2.5)));
  CHECK(y({0, 1}) == Approx(-20 / std::sqrt(2.5)));
  SwiGlu network(1, 1, 0, Random(1));
  network.gate.weight.set_value(Tensor({1, 1}, {2}));
  network.inner.weight.set_value(Tensor({1, 1}, {3}));
  network.outer.weight.set_value(Tensor({1, 1}, {5}));
  const double silu = 2 / (1 + std::exp(-2.0));
  CHECK(network(Tensor({1, 1}, {1})).value().item() == Approx(5 * silu * 3));
}

TEST_CASE("evaluation: const functions of a translator leave it in training, and drop nothing meanwhile") {
  TransformerConfig config = small_learned();
  config.dropout = 0.5;
  const Translator translator = translator_of(config);
  const auto training = [&] {
    Visitor visitor;
    translator.model().visit(visitor);
    return std::all_of(visitor.modes().begin(), visitor.modes().end(),
                       [](const Mode* m) { return m->training; });
  };
  const auto twice_the_same = [&](auto call) {
    CHECK(call() == call());
    CHECK(training());
  };
  REQUIRE(training());
  const SentencePair pair{"the cat", "cat sleeps"};
  twice_the_same([&] { return translator.translate(sentences); });
  twice_the_same([&] { return translator.score({pair})[0].log_probability; });
  twice_the_same([&] { return translator.draw({"cat"}, {}, {}, Random(1))[0].log_probability; });
  twice_the_same([&] {
    BeamTree tree;
    return translator.search("the cat", BeamOptions(), tree)[0].log_probability;
  });
  twice_the_same([&] { return maps_to_source(translator, pair)[0].weights; });
  twice_the_same([&] { return attention_of(translator, "the cat").kinds[0].layers[0][0].weights; });
  twice_the_same([&] { return alignment_quality(translator, {{pair, {{0, 0}, {1, 1}}}}).layers; });
}

TEST_CASE("translator: a beam of 1 has the score that a wider one would give, and heeds its options") {
  const Translator translator = translator_of(small_learned());
  BeamOptions one;
  one.beam_size = 1;
  one.length_penalty = 0.8;
  one.end = -1;  // longer than a word, whose penalty is 1
  for (const double coverage : {0.0, 0.3}) {
    one.coverage_penalty = coverage;
    for (const std::string& sentence : sentences) {
      BeamTree tree;
      const Hypothesis by_beam = translator.search(sentence, one, tree)[0];
      const Hypothesis found = translator.search({sentence}, one)[0][0];
      CHECK(found.tokens == by_beam.tokens);
      CHECK(found.score == Approx(by_beam.score));
      CHECK(found.score != Approx(found.log_probability));
    }
  }
  one.n_best = 2;
  CHECK_THROWS_WITH(translator.search(sentences, one), Contains("n_best must lie in 1 … beam_size: got 2"));
  one.n_best = 1;
  one.length_penalty = -1;
  CHECK_THROWS_AS(translator.search(sentences, one), std::invalid_argument);
}

TEST_CASE("translator: a translation has up to ten tokens more than twice those of its sentence") {
  const Translator translator = translator_of(small_learned());
  BeamOptions endless = Translator::greedy_options();
  endless.end = -1;
  CHECK(translator.search({"the cat sleeps"}, endless)[0][0].tokens.size() == 16);
  endless.beam_size = 2;
  CHECK(translator.search({"cat"}, endless)[0][0].tokens.size() == 12);
}
