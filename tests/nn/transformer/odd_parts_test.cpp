// Parts together that nobody has put together before: what is written word by word, with all that is
// remembered meanwhile, must have the probabilities of the same words read at once.
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/inspect/explain.hpp>
#include <gradual/nn/language/character_model.hpp>
#include <gradual/nn/transformer/transformer.hpp>
#include <gradual/nn/translation/translation_models.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "nn/transformer/four_words.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// -‖q - k‖², but for what is the same for all keys; with a scale that it learns.
struct NearScore : Score {
  explicit NearScore(Random) : scale(Var::parameter(Tensor({1}, {0.7}))) {}
  void visit(Visitor& visitor) override { visitor("scale", scale); }
  void check_widths(Index, Index) const override {}
  Var prepare(const Var& keys) const override { return keys * scale; }
  Var compare(const Var& queries, const Var& keys) const override {
    return matmul(queries, keys, {false, true}) -
           reshape(sum(keys * keys, {2}), {keys.dim(0), 1, keys.dim(1)});
  }

  Var scale;
};

// Vectors, a bias that is the same object each time, and queries and keys scaled by their places, all at
// once.
struct OwnVectors : PositionVectors {
  OwnVectors(Index length, Index width, Random random) : table(length, width, random) {}
  void visit(Visitor& visitor) override { visitor("table", table); }
  Var operator()(Index first, Index count) const override {
    return slice(table.weight, 0, first, first + count);
  }

  Embedding table;
};
struct OwnPlaces : AttentionPositions {
  explicit OwnPlaces(Index heads) : slopes(Var::parameter(Tensor::full({heads, 1}, Real(-0.3)))) {}
  void visit(Visitor& visitor) override { visitor("slopes", slopes); }
  Var rotated(const Var& packed, Index columns, Index first) const override {
    const Index count = packed.dim(1);
    Tensor scale({1, count, 1});
    for (Index i = 0; i < count; ++i)
      scale.unguarded_data()[i] = 1 + Real(0.1) * static_cast<Real>(first + i);
    return concat({slice(packed, 2, 0, columns) * Var(scale), slice(packed, 2, columns, packed.dim(2))}, 2);
  }
  Var bias(Index queries, Index keys) const override {
    Tensor distances({1, queries + keys - 1});
    for (Index i = 0; i < distances.size(); ++i)
      distances.unguarded_data()[i] = std::abs(static_cast<Real>(i - (keys - 1)));
    return matmul(slopes, Var(distances));
  }

  Var slopes;
};

struct MiddleNorm : Layer {
  explicit MiddleNorm(Index width) : gain(Var::parameter(Tensor::ones({width}))) {}
  void visit(Visitor& visitor) override { visitor("gain", gain); }
  Var operator()(const Var& x) const override { return (x - mean(x, {-1}, Axis::kept)) * gain; }

  Var gain;
};

// Looks at the source by hand and tells nothing of how it would go on word by word.
struct GlancingDecoder : DecoderBlock {
  GlancingDecoder(const LayerConfig& c, Random random, std::string name)
      : own(c.width, c.width, random), around(c, random), layer(std::move(name)) {}
  void visit(Visitor& visitor) override {
    visitor("own", own);
    visitor("around", around);
  }
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    return around(x, [&](const Var& y) {
      const Var weights = masked_softmax(matmul(own(y), memory, {false, true}), mask);  // [B, T, S]
      if (AttentionRecorder* recorder = AttentionRecorder::current())
        recorder->add(layer, weights.value().with_shape({y.dim(0), 1, y.dim(1), memory.dim(1)}),
                      AttentionTo::source);
      return matmul(weights, memory);
    });
  }

  Linear own;
  Residual around;
  std::string layer;
};

void add_odd_parts() {
  static const bool added = [] {
    score_kinds().add("odd_near", [](const ScoreSizes&, Random random) { return NearScore(random); });
    PositionKind own;
    own.vectors = [](Index length, Index width, Random random) { return OwnVectors(length, width, random); };
    own.in_attention = [](Index heads, Index, Random) { return OwnPlaces(heads); };
    own.ends = true;
    position_kinds().add("odd_places", own);
    norms().add("odd_middle", [](Index width, Random) { return MiddleNorm(width); });
    decoder_layers().add("odd_glancing", [](const LayerConfig& c, Random random, const std::string& name) {
      return GlancingDecoder(c, random, name);
    });
    return true;
  }();
  static_cast<void>(added);
}

TransformerConfig small_transformer() {
  TransformerConfig config;
  config.width = 16;
  config.heads = 4;
  config.feed_forward = 24;
  config.encoder_layers = config.decoder_layers = 2;
  config.max_length = 32;
  return config;
}

// Each hypothesis of a beam, whatever is remembered on the way, has the log P of its words read at once.
void check_as_read_at_once(const Translator& translator, double coverage_penalty = 0) {
  const EvaluationScope evaluation;
  BeamOptions beam;
  beam.beam_size = beam.n_best = 3;
  beam.coverage_penalty = coverage_penalty;
  const auto found = translator.search(sentences, beam);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    REQUIRE(found[i].size() == 3);
    for (const Hypothesis& hypothesis : found[i]) {
      std::vector<std::int32_t> output = hypothesis.tokens, input{Vocabulary::bos};
      if (hypothesis.finished) output.push_back(Vocabulary::eos);
      input.insert(input.end(), output.begin(), output.end() - 1);
      const Shape shape{1, static_cast<Index>(output.size())};
      const TranslationBatch batch{make_source_batch({four_words.encode(sentences[i])}),
                                   Indices(shape, input), Indices(shape, output)};
      const double mean_loss = translator.model().loss(batch, {}).value().item();
      CHECK(hypothesis.log_probability ==
            Approx(-mean_loss * static_cast<double>(output.size())).margin(1e-4));
    }
  }
}

}  // namespace

TEST_CASE(
    "odd parts: scores, positions, shared heads, windows and norms, each with each, write as they read") {
  add_odd_parts();
  for (const std::string score : {"scaled_dot", "additive", "odd_near"}) {
    for (const std::string positions : {"rotary", "alibi", "relative", "odd_places"}) {
      for (const Index key_value_heads : {0, 1, 2}) {
        for (const Index window : {0, 1}) {
          TransformerConfig config = small_transformer();
          config.attention = score;
          config.positions = positions;
          config.key_value_heads = key_value_heads;
          config.window = window;
          config.norm_kind = window > 0 ? "odd_middle" : "rms_norm";
          config.norm = key_value_heads == 1 ? NormPlace::after : NormPlace::before;
          INFO(score << ", " << positions << ", " << key_value_heads << " heads of keys, window " << window);
          check_as_read_at_once(Translator(config, four_words, four_words, Random(5)));
        }
      }
    }
  }
}

TEST_CASE("odd parts: all of one's own together are saved, loaded, searched, scored and drawn") {
  add_odd_parts();
  TransformerConfig config = small_transformer();
  config.attention = "odd_near";
  config.positions = "odd_places";
  config.norm_kind = "odd_middle";
  config.decoder_layer = "odd_glancing";
  config.key_value_heads = 2;
  config.window = 2;
  const TestFolder folder;
  const Translator made(config, four_words, four_words, Random(5));
  made.save(folder / "model.safetensors");
  const Translator loaded = Translator::load(folder / "model.safetensors");
  CHECK(loaded.longest_sentence() == 31);  // its positions end
  const SentencePair pair{"the cat", "cat sleeps"};
  CHECK(loaded.score({pair})[0].log_probability == made.score({pair})[0].log_probability);
  check_as_read_at_once(loaded);
  check_as_read_at_once(loaded, 0.4);  // the layer computes all words again, and so records all their weights
  CHECK(maps_to_source(loaded, pair).size() == 2);
  CHECK(explain(loaded, "the cat", BeamOptions()).words.front().attention.size() == 3);
  CHECK(attention_of(loaded, "the cat").kinds.front().name == "Cross-attention");
}

TEST_CASE("odd parts: a language model of them writes on as it reads, and comes back from its file") {
  add_odd_parts();
  StackConfig config;
  config.width = 16;
  config.heads = 4;
  config.key_value_heads = 2;
  config.positions = "odd_places";
  config.norm_kind = "odd_middle";
  config.attention = "odd_near";
  config.activation = "swiglu";
  config.window = 2;
  config.max_length = 12;
  const TestFolder folder;
  const CharacterModel made(config, Characters::of("abcdef"), Random(1));
  made.save(folder / "model.safetensors");
  const CharacterModel loaded = CharacterModel::load(folder / "model.safetensors");
  CHECK(loaded.write_on("ab", 20, {}, Random(2)) == made.write_on("ab", 20, {}, Random(2)));
  const EvaluationScope evaluation;
  const Indices ids({1, 6}, {3, 1, 4, 1, 5, 2});
  const Tensor whole = loaded.model().logits(ids).value();
  LanguageModel::State state;
  for (Index t = 0; t < 6; ++t)
    CHECK(difference(loaded.model().next(Indices({1}, {ids[t]}), state),
                     slice(whole, 1, t, t + 1).reshaped({1, -1})) == "");
}

TEST_CASE("odd parts: what is nothing is refused where it is put in") {
  CHECK_THROWS_WITH(Part<Score>(std::shared_ptr<NearScore>()), "part: there must be one: got a null pointer");
  CHECK_THROWS_WITH(norms().add("odd_empty", nullptr),
                    "norm: the name must have what makes it: \"odd_empty\" has nothing");
  CHECK_THROWS_WITH(norms().add("layer_norm", [](Index width, Random) { return LayerNorm(width); }),
                    "norm: the name must be a new one: \"layer_norm\" is taken");
  CHECK_THROWS_WITH(Translator(nullptr, four_words, four_words),
                    "translator: there must be a model: got a null pointer");
  static const bool added = [] {
    translation_models().add("odd_nothing", [](const std::string&, Index, Index, Random) {
      return std::unique_ptr<TranslationModel>();
    });
    return true;
  }();
  static_cast<void>(added);
  CHECK_THROWS_WITH(Translator(ModelConfig("odd_nothing", "{}"), four_words, four_words, Random(1)),
                    "translation model: what a kind makes must be one: \"odd_nothing\" makes none");
}

TEST_CASE("odd parts: a model that describes itself as another, or in no JSON, is not saved") {
  struct Doubling : Transformer {
    using Transformer::Transformer;
    Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
      return Transformer::loss(batch, options) * Real(2);
    }
  };
  struct Mumbling : Transformer {
    using Transformer::Transformer;
    ModelConfig description() const override { return {"transformer", "width 16"}; }
  };
  TransformerConfig config = small_transformer();
  config.source_vocabulary = config.target_vocabulary = four_words.vocabulary.size();
  const TestFolder folder;
  const Translator doubling(std::make_unique<Doubling>(config, Random(1)), four_words, four_words);
  CHECK_THROWS_WITH(
      doubling.save(folder / "model"),
      Contains("a class of one's own needs a description() of its own: it says that it is \"transformer\""));
  const Translator mumbling(std::make_unique<Mumbling>(config, Random(1)), four_words, four_words);
  CHECK_THROWS_WITH(
      mumbling.save(folder / "model"),
      "translator: the settings of a description() must be JSON: those of \"transformer\" are not");
}
