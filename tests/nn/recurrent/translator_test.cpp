// The recurrent translator: writing word by word agrees with reading all words at once, and it learns.
#include <gradual/nn/recurrent/translator.hpp>

#include <algorithm>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/decoding/beam_search.hpp>
#include <gradual/nn/training/optimizer.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

RecurrentConfig small(CellKind cell, const std::string& attention) {
  RecurrentConfig config;
  config.source_vocabulary = config.target_vocabulary = 9;
  config.embedding_width = 8;
  config.hidden_width = 12;
  config.cell = cell;
  config.attention = attention;
  config.max_length = 16;
  return config;
}

std::vector<std::string> attentions() {
  std::vector<std::string> kinds = score_names();
  kinds.push_back("none");
  return kinds;
}

// Sentences of the words 3 … 8 and their reversals.
TranslationBatch reversals(Index count, Index longest, std::uint64_t seed) {
  constexpr std::int32_t begin = 1, end = 2;
  Random random(seed);
  const auto size = static_cast<std::size_t>(count * (longest + 1));
  std::vector<std::int32_t> source(static_cast<std::size_t>(count * longest), 0), lengths, input(size, 0),
      output(size, 0);
  for (Index b = 0; b < count; ++b) {
    const Index length = 1 + random.below(longest);
    lengths.push_back(static_cast<std::int32_t>(length));
    input[static_cast<std::size_t>(b * (longest + 1))] = begin;
    for (Index i = 0; i < length; ++i) {
      const auto word = static_cast<std::int32_t>(3 + random.below(6));
      source[static_cast<std::size_t>(b * longest + i)] = word;
      output[static_cast<std::size_t>(b * (longest + 1) + length - 1 - i)] = word;
      input[static_cast<std::size_t>(b * (longest + 1) + length - i)] = word;
    }
    output[static_cast<std::size_t>(b * (longest + 1) + length)] = end;
  }
  return {{Indices({count, longest}, source), Indices({count}, lengths)},
          Indices({count, longest + 1}, input),
          Indices({count, longest + 1}, output)};
}

}  // namespace

TEST_CASE("recurrent translator: word by word gives the logits of all words at once") {
  const TranslationBatch batch = reversals(4, 5, 1);
  for (const CellKind cell : {CellKind::gru, CellKind::lstm}) {
    for (const std::string& attention : attentions()) {
      INFO(attention << ", lstm " << (cell == CellKind::lstm));
      RecurrentTranslator model(small(cell, attention), Random(3));
      set_training(model, false);
      RecurrentTranslator::Memory memory = model.encode(batch.source);
      const Tensor together = model.logits(model.decode(batch.input, memory)).value();  // [B, T, V]
      const auto state = model.start(batch.source);
      for (Index t = 0; t < batch.input.dim(1); ++t) {
        std::vector<std::int32_t> words;
        for (Index b = 0; b < 4; ++b) words.push_back(batch.input[b * batch.input.dim(1) + t]);
        const Tensor logits = model.next(Indices({4}, words), *state);
        CHECK(difference(logits, slice(together, 1, t, t + 1).with_shape({4, 9})) == "");
      }
    }
  }
}

TEST_CASE("recurrent translator: selecting rows of its state keeps those sentences, in that order") {
  const TranslationBatch batch = reversals(3, 5, 2);
  for (const std::string attention : {"additive", "none"}) {
    INFO(attention);
    RecurrentTranslator model(small(CellKind::lstm, attention), Random(3));
    set_training(model, false);
    const auto all = model.start(batch.source), chosen = model.start(batch.source);
    model.next(Indices({3}, {1, 1, 1}), *all);
    model.next(Indices({3}, {1, 1, 1}), *chosen);
    chosen->select({2, 0, 2, 1});
    const Tensor expected = model.next(Indices({3}, {4, 5, 6}), *all);
    const Tensor logits = model.next(Indices({4}, {6, 4, 6, 5}), *chosen);
    const Index rows[] = {2, 0, 2, 1};
    for (Index i = 0; i < 4; ++i)
      CHECK(difference(logits.rows(i, i + 1), expected.rows(rows[i], rows[i] + 1)) == "");
  }
}

TEST_CASE("recurrent translator: padding of the source changes nothing") {
  for (const std::string& attention : attentions()) {
    INFO(attention);
    RecurrentTranslator model(small(CellKind::gru, attention), Random(3));
    set_training(model, false);
    const Indices words({1, 2}, {1, 5});
    RecurrentTranslator::Memory alone = model.encode({Indices({1, 3}, {3, 4, 5}), Indices({1}, {3})});
    RecurrentTranslator::Memory padded =
        model.encode({Indices({1, 6}, {3, 4, 5, 7, 8, 0}), Indices({1}, {3})});
    CHECK(difference(model.decode(words, padded).value(), model.decode(words, alone).value()) == "");
  }
}

TEST_CASE("recurrent translator: hands out its attention, one row of weights for each word") {
  const RecurrentTranslator model(small(CellKind::gru, "dot"), Random(3));
  const TranslationBatch batch = reversals(4, 5, 1);
  AttentionRecorder recorder;
  model.loss(batch, {});
  REQUIRE(recorder.recorded().size() == 1);
  CHECK(recorder.recorded()[0].layer == "decoder.cross_attention");
  CHECK(recorder.recorded()[0].weights.shape() == Shape{4, 1, 6, 5});
  CHECK(difference(sum(recorder.recorded()[0].weights, {-1}, Axis::kept), Tensor::ones({4, 1, 6, 1})) == "");
}

TEST_CASE("recurrent translator: learns to reverse short sentences", "[long]") {
  for (const CellKind cell : {CellKind::gru, CellKind::lstm}) {
    INFO("lstm " << (cell == CellKind::lstm));
    RecurrentConfig config = small(cell, "additive");
    config.hidden_width = 32;
    config.dropout = 0;
    RecurrentTranslator model(config, Random(3));
    Adam adam(parameters(model), {});
    CrossEntropyOptions options;
    options.ignored = 0;
    for (std::uint64_t step = 0; step < 150; ++step) {
      zero_gradients(parameters(model));
      backward(model.loss(reversals(32, 5, step), options));
      adam.step(0.01);
    }
    CHECK(model.loss(reversals(64, 5, 999), options).value().item() < 0.1);  // log 7 at first
  }
}

TEST_CASE("recurrent translator: a bad configuration is refused") {
  const auto refused = [](auto change, const std::string& message) {
    RecurrentConfig config = small(CellKind::gru, "additive");
    change(config);
    CHECK_THROWS_AS(RecurrentTranslator(config, Random(1)), std::invalid_argument);
    CHECK_THROWS_WITH(RecurrentTranslator(config, Random(1)), Contains(message));
  };
  refused([](auto& c) { c.hidden_width = 7; },
          "recurrent translator: hidden_width must be even, half for each direction of the encoder: got 7");
  refused([](auto& c) { c.embedding_width = 0; },
          "recurrent translator: embedding_width must be positive: got 0");
  refused([](auto& c) { c.dropout = 1; }, "recurrent translator: dropout must lie in [0, 1): got 1");
  refused(
      [](auto& c) {
        c.shared_embeddings = true;
        c.source_vocabulary = 10;
      },
      "recurrent translator: shared embeddings need one vocabulary: source_vocabulary is 10, "
      "target_vocabulary "
      "is 9");
  refused(
      [](auto& c) { c.attention = "luong"; },
      "score: the name must be a known one: got \"luong\"; known are additive, concat, cosine, dot, general, "
      "location, scaled_dot");
}

TEST_CASE("recurrent translator: without lengths all words count, in a search, too") {
  RecurrentTranslator model(small(CellKind::gru, "additive"), Random(3));
  set_training(model, false);
  const Indices ids({2, 3}, {3, 4, 5, 6, 7, 8});
  BeamOptions options;
  options.beam_size = 3;
  options.max_length = 6;
  const auto all = beam_search(model, {ids, Indices({2}, {3, 3})}, options),
             none = beam_search(model, {ids, {}}, options);
  REQUIRE(none.size() == 2);
  for (std::size_t b = 0; b < 2; ++b) CHECK(none[b].at(0).tokens == all[b].at(0).tokens);
  CHECK_THROWS_WITH(beam_search(model, {ids, Indices({1}, {3})}, options),
                    "beam_search: valid lengths must be [B]: B is 2, valid lengths are [1]");
  CHECK_THROWS_WITH(beam_search(model, {Indices({3}, {3, 4, 5}), {}}, options),
                    "beam_search: the source must be [B, S]: it is [3]");
}
