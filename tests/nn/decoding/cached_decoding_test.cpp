// Writing word by word with remembered keys and values gives the logits of a pass over the whole prefix.
#include <type_traits>

#include <gradual/core/attention/cached_attention.hpp>
#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/transformer/language_model.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

using Words = std::vector<std::int32_t>;
constexpr Index vocabulary = 11;

// A step multiplies by packed weights and the whole pass does not, so they add the same products in another
// order, and sharp attention magnifies that: scores grow with the fourth power of the weights' scale, and so
// does what the rounding of a score does to weights that nearly tie. Over eighty models and three of
// OpenBLAS's kernels the worst difference in float is 2e-6 of the logits' size at a scale of 1, 9e-5 at 2 and
// 1e-3 at 3. At 2 heads still prefer keys. In double, 1e-10 holds for all, so it is rounding and nothing
// else.
constexpr Real sharpness = 2;
constexpr double tolerance = std::is_same_v<Real, float> ? 3e-4 : rounding_tolerance;

// The logits of the word after each prefix, from a pass over all of it.
Tensor refed(const Transformer& model, const SourceBatch& source, const std::vector<Words>& prefixes) {
  const NoGrad no_grad;
  const auto rows = static_cast<Index>(prefixes.size());
  const auto length = static_cast<Index>(prefixes.front().size());
  Words ids;
  for (const Words& prefix : prefixes) ids.insert(ids.end(), prefix.begin(), prefix.end());
  AttentionMask mask;
  mask.valid_lengths = source.lengths;
  const Var logits = model.logits(model.decode(Indices({rows, length}, ids), model.encode(source), mask));
  return slice(logits.value(), 1, length - 1, length).reshaped({rows, -1});
}

SourceBatch rows_of(const SourceBatch& source, const std::vector<Index>& rows) {
  const Index width = source.ids.dim(1), count = static_cast<Index>(rows.size());
  Words ids, lengths;
  for (Index row : rows) {
    const std::int32_t* from = source.ids.data() + row * width;
    ids.insert(ids.end(), from, from + width);
    if (source.lengths.size() > 0) lengths.push_back(source.lengths[row]);
  }
  return {Indices({count, width}, ids), lengths.empty() ? Indices() : Indices(Shape{count}, lengths)};
}

void check_steps(const Transformer& model, const SourceBatch& source) {
  std::vector<Words> prefixes(3);
  const auto state = model.start(source);
  Random random(4);
  for (int step = 0; step < 6; ++step) {
    Words words;
    for (Words& prefix : prefixes) {
      words.push_back(static_cast<std::int32_t>(random.below(vocabulary)));
      prefix.push_back(words.back());
    }
    CHECK(difference(model.next(one_each(words), *state), refed(model, source, prefixes), tolerance) == "");
  }
}

}  // namespace

TEST_CASE("cached decoding: each step has the logits of a pass over the whole prefix") {
  const SourceBatch source = random_sentences({5, 2, 4}, vocabulary, 3);
  SECTION("norms before the parts") { check_steps(small_transformer(vocabulary, 1, sharpness), source); }
  SECTION("norms after the parts") {
    check_steps(small_transformer(vocabulary, 2, sharpness, NormPlace::after), source);
  }
  for (const std::string& score : score_names()) {
    DYNAMIC_SECTION("heads that compare by " << score) {
      check_steps(small_transformer(vocabulary, 1, 1, NormPlace::before, score), source);
    }
  }
  SECTION("no padding and no lengths") {
    check_steps(small_transformer(vocabulary, 1, sharpness),
                {random_sentences({4, 4, 4}, vocabulary, 3).ids, Indices()});
  }
}

TEST_CASE(
    "cached decoding: selected rows go on as if they had always been there, in that order and twice if named "
    "twice") {
  const Transformer model = GENERATE(true, false)
                                ? small_transformer(vocabulary, 7, sharpness)
                                : small_transformer(vocabulary, 7, 1, NormPlace::before, "additive");
  SourceBatch source = random_sentences({5, 2, 4}, vocabulary, 3);
  if (GENERATE(false, true)) source.lengths = Indices();
  std::vector<Words> prefixes(3);
  const auto state = model.start(source);
  Random random(9);
  for (const std::vector<Index>& rows :
       std::vector<std::vector<Index>>{{0, 1, 2}, {2, 2, 0, 1}, {3, 1, 1, 0, 2}, {4, 0}, {1}, {0, 0}}) {
    state->select(rows);
    source = rows_of(source, rows);
    std::vector<Words> selected;
    for (Index row : rows) selected.push_back(prefixes[static_cast<std::size_t>(row)]);
    prefixes = selected;
    Words words;
    for (Words& prefix : prefixes) {
      words.push_back(static_cast<std::int32_t>(random.below(vocabulary)));
      prefix.push_back(words.back());
    }
    CHECK(difference(model.next(one_each(words), *state), refed(model, source, prefixes), tolerance) == "");
  }
}

TEST_CASE("cached decoding: a recorder receives the weights of the whole pass") {
  const NoGrad no_grad;
  const Transformer model = small_transformer(vocabulary, 1, sharpness);
  const SourceBatch source = random_sentences({5, 2}, vocabulary, 3);
  const auto state = model.start(source);
  model.next(one_each({3, 4}), *state);
  AttentionRecorder step;
  model.next(one_each({5, 6}), *state);
  REQUIRE(step.recorded().size() == 4);

  AttentionMask mask;
  mask.valid_lengths = source.lengths;
  const Var memory = model.encode(source);
  AttentionRecorder whole;
  model.decode(Indices({2, 2}, {3, 5, 4, 6}), memory, mask);
  REQUIRE(whole.recorded().size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(step.recorded()[i].layer == whole.recorded()[i].layer);
    CHECK(difference(step.recorded()[i].weights, slice(whole.recorded()[i].weights, 2, 1, 2), tolerance) ==
          "");
  }
}

TEST_CASE("cached decoding: the language model's steps have the logits of a pass over the whole text") {
  StackConfig config;
  config.vocabulary = vocabulary;
  config.width = 16;
  config.feed_forward = 24;
  LanguageModel model(config, Random(5));
  set_training(model, false);
  const Indices ids({2, 5}, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3});
  const Tensor whole = model.logits(ids).value();
  LanguageModel::State state;
  for (Index t = 0; t < 5; ++t) {
    const Tensor logits = model.next(one_each({ids[t], ids[5 + t]}), state);
    CHECK(difference(logits, slice(whole, 1, t, t + 1).reshaped({2, -1})) == "");
  }
}

TEST_CASE("cached attention: two keys by hand") {
  // One head of width 1: scores q·k = 2·ln 1 and 2·ln 3 for q = 2, so weights 1/10 and 9/10.
  const std::vector<Real> query = {2}, first = {0, 5}, second = {static_cast<Real>(std::log(3.0)), 15};
  KeyTable table;
  table.most = 3;
  table.counts = {2};
  table.keys = {first.data(), second.data(), nullptr};
  Real out = 0;
  Tensor weights;
  cached_attention(1, 1, {query.data(), 1}, table, {&out, 1}, &weights);
  CHECK(out == Approx(14));
  CHECK(weights.shape() == Shape{1, 1, 1, 3});
  CHECK(weights({0, 0, 0, 0}) == Approx(0.1));
  CHECK(weights({0, 0, 0, 1}) == Approx(0.9));
  CHECK(weights({0, 0, 0, 2}) == 0);

  table.counts = {0};
  cached_attention(1, 1, {query.data(), 1}, table, {&out, 1});
  CHECK(out == 0);
}

TEST_CASE("cached attention: lengths that do not fit the remembered words are refused") {
  KeyValueCache cache;
  cache.append(Tensor::ones({2, 3, 4}));
  CHECK_THROWS_WITH(cache.table(one_each({1})),
                    "attention: valid lengths must be [B] or [B, T]: B is 2, T is 1, valid lengths are [1]");
  CHECK_THROWS_WITH(cache.table(one_each({1, 4})),
                    "attention: valid lengths must lie in 0 … number of keys: got 4 of 3 keys");
}

TEST_CASE("cached decoding: of each word a key and a value are kept for each head of theirs") {
  for (const Index groups : {0, 1, 2, 4}) {
    const MultiHeadAttention layer(16, 4, 0, Random(1), "attention", {}, {}, groups);
    KeyValueCache cache = layer.remember(Var(random_tensor({3, 5, 16}, 1)));
    CHECK(cache.gathered().shape() == Shape{3, 5, groups == 0 ? 32 : 2 * groups * 4});
    KeyValueCache own;
    layer.next(Var(random_tensor({3, 1, 16}, 2)), own);
    CHECK(own.gathered().shape() == Shape{3, 1, groups == 0 ? 32 : 2 * groups * 4});
  }
}

TEST_CASE("cached decoding: behind a window nothing is kept, and what is written stays the same") {
  const Tensor x = random_tensor({2, 9, 16}, 1);
  for (const char* places : {"none", "relative", "alibi", "rotary"}) {
    const MultiHeadAttention layer(16, 4, 0, Random(1), "attention", {places, 3}, {}, 2);
    AttentionMask causal;
    causal.causal = true;
    const Tensor whole = layer(Var(x), causal).value();
    KeyValueCache cache;
    std::vector<Index> rows = {0, 1};
    for (Index word = 0; word < 9; ++word) {
      if (word == 5) cache.select(rows = {1, 0});
      const auto chosen = [&](const Tensor& all) {
        const Tensor of_word = slice(all, 1, word, word + 1);
        return concat({slice(of_word, 0, rows[0], rows[0] + 1), slice(of_word, 0, rows[1], rows[1] + 1)}, 0);
      };
      const Tensor next = layer.next(Var(chosen(x)), cache).value();
      CHECK(difference(next, chosen(whole), 1e-5) == "");
    }
    CHECK(cache.length() == 9);
    CHECK(cache.kept() == 4);
  }
}

TEST_CASE("cached decoding: other rows than those that are remembered are refused") {
  const MultiHeadAttention layer(16, 4, 0, Random(1));
  const auto words = [](Index rows, Index count) { return Var(random_tensor({rows, count, 16}, 1)); };
  KeyValueCache cache;
  layer.next(words(2, 1), cache);
  CHECK_THROWS_WITH(
      layer.next(words(3, 1), cache),
      "cache: all words must be of the same rows and as wide: there are 2 rows of width 32, got [3, 1, 32]");
  CHECK_THROWS_WITH(layer.next(words(2, 2), cache),
                    "multi-head attention: words must come one by one, [B, 1, D]: got [2, 2, 16]");
  CHECK_THROWS_WITH(layer.attend(words(1, 1), cache),
                    "multi-head attention: there must be a word for each row that is remembered: there are 1 "
                    "words, 2 rows");
  CHECK_THROWS_WITH(cache.select({0, 2}), "cache: the rows that are kept must be there: got 2 of 2");
  CHECK_THROWS_WITH(cache.select({-1}), "cache: the rows that are kept must be there: got -1 of 2");
  cache.select({1, 1, 0});
  CHECK_NOTHROW(layer.next(words(3, 1), cache));
}

TEST_CASE("cached decoding: a model refuses words for other sentences, and the state of another kind") {
  TransformerConfig config;
  config.width = config.feed_forward = 16;
  config.source_vocabulary = config.target_vocabulary = 9;
  const Transformer model(config, Random(1));
  const auto state = model.start(make_source_batch({{4, 5}, {6}}));
  CHECK_THROWS_WITH(model.next(one_each({1, 1, 1}), *state), Contains("there are 3 words, 2 rows"));
  RecurrentConfig other;
  other.embedding_width = other.hidden_width = 16;
  other.source_vocabulary = other.target_vocabulary = 9;
  const RecurrentTranslator recurrent(other, Random(1));
  CHECK_THROWS_WITH(
      recurrent.next(one_each({1, 1}), *state),
      "translation model: a state must go on with the model that started it: this is another kind of "
      "model's");
  CHECK_THROWS_WITH(model.next(one_each({1, 1}), *recurrent.start(make_source_batch({{4}, {6}}))),
                    Contains("another kind of model's"));
}
