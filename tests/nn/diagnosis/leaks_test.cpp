#include <gradual/nn/diagnosis/leaks.hpp>

#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/layers/layers.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

using Kind = Leak::Kind;

TransformerConfig small_transformer() {
  TransformerConfig config;
  config.source_vocabulary = 17;
  config.target_vocabulary = 19;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 24;
  config.max_length = 40;
  return config;
}

StackConfig small_stack() {
  StackConfig config;
  config.vocabulary = 17;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 24;
  config.max_length = 40;
  return config;
}

RecurrentConfig small_recurrent() {
  RecurrentConfig config;
  config.source_vocabulary = 17;
  config.target_vocabulary = 19;
  config.embedding_width = 8;
  config.hidden_width = 16;
  config.max_length = 40;
  return config;
}

template <class Model>
std::vector<Leak> leaks_of(Model& model) {
  parameters(model);  // which names them
  if constexpr (std::is_base_of_v<TranslationModel, Model>)
    return find_leaks(leak_subject(model, 17, 19));
  else
    return find_leaks(leak_subject(model));
}

// There is exactly this leak, and it came in at this operation of a layer whose name begins so.
void check_leak(const std::vector<Leak>& leaks, Kind kind, const std::string& operation,
                const std::string& layer) {
  REQUIRE(leaks.size() == 1);
  INFO(leaks[0].text);
  CHECK((leaks[0].kind == kind));
  CHECK(leaks[0].operation == operation);
  CHECK(leaks[0].layer.substr(0, layer.size()) == layer);
  CHECK(leaks[0].size > 0);
}

// Attention that does with the mask what it should not.
struct Attending : AttentionLayer {
  using Change = std::function<AttentionMask(AttentionMask)>;
  Attending(Change wrong, Random random) : inner(16, 2, 0, random), change(std::move(wrong)) {}
  void visit(Visitor& visitor) override { inner.visit(visitor); }
  using AttentionLayer::operator();
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    return inner(x, memory, change(mask));
  }
  MultiHeadAttention inner;
  Change change;
};

AttentionMask without_causal(AttentionMask mask) {
  mask.causal = false;
  return mask;
}
AttentionMask without_lengths(AttentionMask mask) {
  mask.valid_lengths = Indices();
  return mask;
}

// A layer of one function.
struct Doing : Layer {
  explicit Doing(std::function<Var(const Var&)> what) : function(std::move(what)) {}
  void visit(Visitor&) override {}
  Var operator()(const Var& x) const override { return function(x); }
  std::function<Var(const Var&)> function;
};

// The weight of every place for every other is 1 where it comes before, or the `ahead` next places.
Var sum_of_places_before(const Var& x, Index ahead) {
  const Index places = x.dim(1);
  Tensor weights = Tensor::zeros({places, places});
  for (Index t = 0; t < places; ++t)
    for (Index s = 0; s < std::min(places, t + 1 + ahead); ++s) weights.mutable_data()[t * places + s] = 1;
  return matmul(Var(weights), x);
}

}  // namespace

TEST_CASE("leak check: 40 sound models change by nothing at all") {
  int sound = 0;
  const auto check_sound = [&](auto&& model, const std::string& what) {
    INFO(what);
    CHECK(leaks_of(model).empty());
    ++sound;
  };
  const auto transformer = [&](const std::string& what, const std::function<void(TransformerConfig&)>& set) {
    TransformerConfig config = small_transformer();
    set(config);
    check_sound(Transformer(config, Random(3)), what);
  };
  for (const char* kind : {"sinusoidal", "learned", "relative", "alibi", "rotary", "none"}) {
    transformer(kind, [&](TransformerConfig& c) { c.positions = kind; });
    transformer(std::string(kind) + ", norms after", [&](TransformerConfig& c) {
      c.positions = kind;
      c.norm = NormPlace::after;
    });
  }
  for (const char* score : {"additive", "concat", "cosine", "dot", "general", "location"})
    transformer(score, [&](TransformerConfig& c) { c.attention = score; });
  transformer("a local window", [](TransformerConfig& c) { c.window = 2; });
  transformer("shared keys and values", [](TransformerConfig& c) { c.key_value_heads = 1; });
  transformer("a modern one", [](TransformerConfig& c) {
    c.norm_kind = "rms_norm";
    c.activation = "swiglu";
    c.positions = "rotary";
  });
  transformer("an output of its own, gelu", [](TransformerConfig& c) {
    c.tied_output = false;
    c.activation = "gelu";
  });
  transformer("few places", [](TransformerConfig& c) {
    c.positions = "learned";
    c.max_length = 5;
  });
  transformer("much dropout", [](TransformerConfig& c) { c.dropout = c.attention_dropout = 0.9; });
  for (const char* attention : {"additive", "general", "location", "none"}) {
    for (const CellKind cell : {CellKind::gru, CellKind::lstm}) {
      RecurrentConfig config = small_recurrent();
      config.attention = attention;
      config.cell = cell;
      check_sound(RecurrentTranslator(config, Random(3)), attention);
    }
  }
  for (const char* kind : {"sinusoidal", "rotary", "alibi", "learned"}) {
    StackConfig config = small_stack();
    config.positions = kind;
    config.window = config.positions == "alibi" ? 3 : 0;
    check_sound(LanguageModel(config, Random(3)), std::string("language model, ") + kind);
    check_sound(Classifier(config, 3, config.window > 0 ? Pooling::attention : Pooling::mean, Random(3)),
                std::string("classifier, ") + kind);
  }
  CHECK(sound == 40);
}

TEST_CASE("leak check: a decoder without a causal mask, and one that looks one word ahead") {
  Transformer model(small_transformer(), Random(1));
  model.decoder[1].as<DecoderLayer>().self_attention = Attending(without_causal, Random(2));
  check_leak(leaks_of(model), Kind::later_words, "attention", "decoder.1.self_attention");

  Transformer ahead(small_transformer(), Random(1));
  ahead.decoder[0].as<DecoderLayer>().feed_forward =
      Doing([](const Var& x) { return sum_of_places_before(x, 1); });
  const std::vector<Leak> leaks = leaks_of(ahead);
  check_leak(leaks, Kind::later_words, "matmul", "decoder.0.around_feed_forward.norm");
  CHECK(leaks[0].place == leaks[0].sentence);  // the last word that was kept
  CHECK_THAT(leaks[0].text, Contains("later words: place 1 of sentence 1 changed with the words after it"));

  Transformer sound(small_transformer(), Random(1));
  sound.decoder[0].as<DecoderLayer>().feed_forward =
      Doing([](const Var& x) { return sum_of_places_before(x, 0); });
  CHECK(leaks_of(sound).empty());
}

TEST_CASE("leak check: a decoder that knows the mean of all its words, or reads them backwards") {
  Transformer mean_of_all(small_transformer(), Random(1));
  mean_of_all.decoder[0].as<DecoderLayer>().feed_forward =
      Doing([](const Var& x) { return x * 0.5 + mean(x, {1}, Axis::kept); });
  check_leak(leaks_of(mean_of_all), Kind::later_words, "add", "decoder.0");

  StackConfig config = small_stack();
  LanguageModel backwards(config, Random(1));
  backwards.layers[1].as<EncoderLayer>().feed_forward =
      Doing([](const Var& x) { return sum(x, {1}, Axis::kept) - cumsum(x, 1); });
  check_leak(leaks_of(backwards), Kind::later_words, "sub", "layers.1");
}

TEST_CASE("leak check: padding that is attended to, by the encoder and by the decoder, or averaged") {
  Transformer encoder(small_transformer(), Random(1));
  encoder.encoder[0].as<EncoderLayer>().self_attention = Attending(without_lengths, Random(2));
  check_leak(leaks_of(encoder), Kind::padding, "attention", "encoder.0.self_attention");

  Transformer decoder(small_transformer(), Random(1));
  decoder.decoder[1].as<DecoderLayer>().cross_attention = Attending(without_lengths, Random(2));
  check_leak(leaks_of(decoder), Kind::padding, "attention", "decoder.1.cross_attention");

  Classifier classifier(small_stack(), 3, Pooling::mean, Random(1));
  LeakSubject subject = leak_subject(classifier);
  subject.compute = [&](const SourceBatch& source, const Indices&) {
    return classifier.output(mean(classifier.embedding(source.ids), {1}));
  };
  parameters(classifier);
  check_leak(find_leaks(subject), Kind::padding, "mean", "embedding");
}

TEST_CASE("leak check: sentences that see each other, through a mean, a state, and axes that change places") {
  Transformer normed(small_transformer(), Random(1));
  normed.encoder[1].as<EncoderLayer>().feed_forward = Doing([](const Var& x) { return x - mean(x, {0}); });
  const std::vector<Leak> of_both = leaks_of(normed);  // the padding of others, too
  REQUIRE(of_both.size() == 2);
  CHECK((of_both[1].kind == Kind::padding));
  check_leak({of_both[0]}, Kind::other_sentences, "sub", "encoder.1");

  LanguageModel carrying(small_stack(), Random(1));
  carrying.layers[0].as<EncoderLayer>().feed_forward = Doing([](const Var& x) { return cumsum(x, 0); });
  check_leak(leaks_of(carrying), Kind::other_sentences, "cumsum", "layers.0");

  Classifier swapped(small_stack(), 3, Pooling::mean, Random(1));
  swapped.layers[0].as<EncoderLayer>().feed_forward = Doing([](const Var& x) {
    return reshape(transpose(x, {1, 0, 2}), {x.dim(0), x.dim(1), x.dim(2)});
  });
  const std::vector<Leak> leaks = leaks_of(swapped);
  REQUIRE(leaks.size() == 2);  // what is mixed is padding, too
  CHECK((leaks[0].kind == Kind::other_sentences && leaks[1].kind == Kind::padding));
  CHECK(leaks[0].operation == "reshape");
}

TEST_CASE("leak check: several leaks at once are told apart") {
  Transformer model(small_transformer(), Random(1));
  model.encoder[0].as<EncoderLayer>().self_attention = Attending(without_lengths, Random(2));
  model.decoder[0].as<DecoderLayer>().self_attention = Attending(without_causal, Random(2));
  model.decoder[1].as<DecoderLayer>().feed_forward = Doing([](const Var& x) { return x - mean(x, {0}); });
  const std::vector<Leak> leaks = leaks_of(model);
  REQUIRE(leaks.size() == 3);
  CHECK((leaks[0].kind == Kind::other_sentences && leaks[0].layer.substr(0, 9) == "decoder.1"));
  CHECK((leaks[1].kind == Kind::later_words));
  CHECK((leaks[2].kind == Kind::padding && leaks[2].layer == "encoder.0.self_attention"));
}

TEST_CASE("leak check: dropout that does not rest is chance, and not a leak") {
  LanguageModel model(small_stack(), Random(1));
  Random chance(5);
  model.layers[0].as<EncoderLayer>().feed_forward = Doing([&](const Var& x) {
    return dropout(x, DropoutMask(0.5, static_cast<std::uint32_t>(chance.next_u64())));
  });
  check_leak(leaks_of(model), Kind::chance, "dropout", "layers.0");
}

TEST_CASE("leak check: recurrent models that read padding, or write with the words behind") {
  // Reads every source to the end of the batch.
  struct Careless : RecurrentTranslator {
    using RecurrentTranslator::RecurrentTranslator;
    Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
      TranslationBatch changed = batch;
      changed.source.lengths = Indices();
      return RecurrentTranslator::loss(changed, options);
    }
  };
  RecurrentConfig config = small_recurrent();
  config.attention = "none";
  Careless careless(config, Random(1));
  const std::vector<Leak> leaks = leaks_of(careless);
  check_leak(leaks, Kind::padding, "gru_step", "encoder");

  // A decoder in both directions.
  const Embedding words(19, 8, Random(1));
  const RecurrentLayer both(CellKind::lstm, 8, 6, Direction::both, Random(2));
  LeakSubject subject;
  subject.target_vocabulary = 19;
  subject.compute = [&](const SourceBatch&, const Indices& target) { return both(words(target)).outputs; };
  const std::vector<Leak> backwards = find_leaks(subject);
  REQUIRE(backwards.size() == 1);
  CHECK((backwards[0].kind == Kind::later_words));
}

TEST_CASE("leak check: places first, places in one axis, and NaN") {
  const Embedding words(19, 8, Random(1));
  LeakSubject subject;
  subject.target_vocabulary = 19;
  const auto kinds = [&](const std::function<Var(const Var&)>& change) {
    subject.compute = [&, change](const SourceBatch&, const Indices& target) {
      return change(words(target));
    };
    return find_leaks(subject).size();
  };
  CHECK(kinds([](const Var& x) { return transpose(x, {1, 0, 2}); }) == 0);
  CHECK(kinds([](const Var& x) { return cumsum(transpose(x, {1, 0, 2}), 0); }) == 0);
  CHECK(kinds([](const Var& x) {
          return sum(transpose(x, {1, 0, 2}), {0}, Axis::kept) - transpose(x, {1, 0, 2});
        }) == 1);
  CHECK(kinds([](const Var& x) { return reshape(cumsum(x, 1), {-1, x.dim(2)}); }) == 0);
  CHECK(kinds([](const Var& x) { return cumsum(reshape(x, {-1, x.dim(2)}), 0); }) == 1);
  CHECK(kinds([](const Var& x) { return x / 0 * 0; }) == 0);  // NaN as before
}

TEST_CASE("leak check: refuses what cannot be checked") {
  LeakSubject subject;
  CHECK_THROWS_WITH(find_leaks(subject), Contains("leak check: a vocabulary must have two words or more"));
  subject.target_vocabulary = 19;
  subject.max_length = 3;
  CHECK_THROWS_WITH(find_leaks(subject),
                    Contains("the model must take sentences of 4 tokens: max_length is 3"));
  subject.max_length = 4;
  subject.compute = [](const SourceBatch&, const Indices&) { return Var(Tensor::scalar(1)); };
  CHECK_THROWS_WITH(
      find_leaks(subject),
      "leak check: the model must compute a result for each place of its targets, [B, T, …], by "
      "operations on variables: it has none");
}
