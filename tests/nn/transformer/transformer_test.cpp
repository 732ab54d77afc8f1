#include <gradual/nn/transformer/transformer.hpp>

#include <algorithm>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/data/reversal.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/transformer/language_model.hpp>

#include "support/catch.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

TransformerConfig config_of(double dropout = 0) {
  TransformerConfig config;
  config.source_vocabulary = 20;
  config.target_vocabulary = 15;
  config.width = 16;
  config.heads = 4;
  config.feed_forward = 24;
  config.dropout = dropout;
  return config;
}

SourceBatch source_of(std::vector<std::int32_t> ids, Index batch, std::vector<std::int32_t> lengths) {
  const Index words = static_cast<Index>(ids.size()) / batch;
  return {Indices({batch, words}, std::move(ids)), Indices({batch}, std::move(lengths))};
}

AttentionMask mask_of(const SourceBatch& source) {
  AttentionMask mask;
  mask.valid_lengths = source.lengths;
  return mask;
}

}  // namespace

TEST_CASE("transformer: padding changes nothing for the words of a sentence") {
  Transformer model(config_of(), Random(1));
  set_training(model, false);
  const NoGrad no_grad;
  const Tensor alone = model.encode(source_of({4, 5, 2}, 1, {3})).value();
  const Tensor padded = model.encode(source_of({4, 5, 2, 0, 0, 7, 8, 9, 10, 2}, 2, {3, 5})).value();
  for (Index word = 0; word < 3; ++word) {
    for (Index i = 0; i < 16; ++i) CHECK(padded({0, word, i}) == Approx(alone({0, word, i})).margin(1e-5));
  }
}

TEST_CASE("transformer: a word of the target does not see those after it") {
  Transformer model(config_of(), Random(2));
  set_training(model, false);
  const NoGrad no_grad;
  const SourceBatch source = source_of({4, 5, 6, 2}, 1, {4});
  const Var memory = model.encode(source);
  const Tensor one = model.decode(Indices({1, 4}, {1, 5, 6, 7}), memory, mask_of(source)).value();
  const Tensor other = model.decode(Indices({1, 4}, {1, 5, 9, 3}), memory, mask_of(source)).value();
  for (Index i = 0; i < 16; ++i) {
    CHECK(one({0, 1, i}) == Approx(other({0, 1, i})).margin(1e-6));
    CHECK(one({0, 2, i}) != other({0, 2, i}));
  }
}

TEST_CASE("transformer: loss and gradients have the same bits for 1, 2 and 4 threads, with dropout") {
  check_same_bits_for_any_thread_count([] {
    TransformerConfig config = config_of(0.1);
    config.width = 64;
    config.feed_forward = 256;
    config.target_vocabulary = 3000;
    Transformer model(config, Random(3));
    std::vector<std::int32_t> ids(32 * 16), lengths(32, 16);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(4 + i % 16);
    for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = static_cast<std::int32_t>(8 + i % 9);
    const Indices words({32, 16}, ids);
    const Var loss = model.loss({{words, Indices({32}, lengths)}, words, words}, {0, 0.1});
    backward(loss);
    std::vector<Tensor> results{loss.value()};
    for (const NamedParameter& parameter : parameters(model)) results.push_back(parameter.variable.grad());
    return results;
  });
}

TEST_CASE("transformer: a bad configuration is refused with the value that is wrong") {
  TransformerConfig config = config_of();
  config.heads = 3;
  CHECK_THROWS_WITH(Transformer(config, Random(1)),
                    "transformer: heads must divide width: heads is 3, width is 16");
  config = config_of();
  config.shared_embeddings = true;
  CHECK_THROWS_WITH(Transformer(config, Random(1)),
                    Contains("source_vocabulary is 20, target_vocabulary is 15"));
  config = config_of();
  config.dropout = 1;
  CHECK_THROWS_WITH(Transformer(config, Random(1)), "transformer: dropout must lie in [0, 1): got 1");
  config = config_of();
  config.decoder_layers = 0;
  CHECK_THROWS_WITH(Transformer(config, Random(1)), "transformer: decoder_layers must be positive: got 0");
  config = config_of();
  config.attention = "none";
  CHECK_THROWS_WITH(Transformer(config, Random(1)), Contains("must be a known one: got \"none\""));
}

TEST_CASE("transformer: tied weights are one parameter, and training moves both uses") {
  TransformerConfig config = config_of();
  config.source_vocabulary = config.target_vocabulary = 20;
  config.shared_embeddings = true;
  Transformer model(config, Random(4));
  const auto all = parameters(model);
  CHECK(std::count_if(all.begin(), all.end(), [](const NamedParameter& p) {
          return p.variable.shape() == Shape{20, 16};
        }) == 1);
  CHECK(model.source_embedding.weight.is_same_as(model.target_embedding.weight));
}

TEST_CASE("transformer: scores by location know max_length places, in every head of every attention") {
  TransformerConfig config = config_of();
  config.encoder_layers = config.decoder_layers = 1;  // with three attentions together
  config.attention = "location";
  config.max_length = 7;
  Transformer model(config, Random(1));
  const std::vector<NamedParameter> all = parameters(model);
  CHECK(std::count_if(all.begin(), all.end(), [](const NamedParameter& each) {
          return each.variable.value().shape() == Shape{7, 4};
        }) == 3 * 4);
}

TEST_CASE("transformer: learns, whatever the score of its heads", "[long]") {
  // Who does not look at the source cannot tell the four words apart, nor the three lengths: of a sequence
  // with its end, (2 ln 4 + ln 3) / 3 = 1.29 a word. How far below it 60 steps lead depends on rounding:
  // batches are small, and the loss of the cosine goes up and down by 0.2.
  const ReversalTask task(4, 3);
  for (const std::string& score : score_names()) {
    INFO(score);
    TransformerConfig config = config_of();
    config.source_vocabulary = config.target_vocabulary = task.vocabulary_size();
    config.attention = score;
    Transformer model(config, Random(3));
    Adam adam(parameters(model));
    Random random(4);
    const auto batch = [&] {
      std::vector<EncodedPair> pairs;
      std::vector<Index> all;
      for (Index i = 0; i < 32; ++i) {
        pairs.push_back(task.draw(random));
        all.push_back(i);
      }
      return make_batch(pairs, all);
    };
    const Real before = model.loss(batch(), {}).value().item();
    for (int step = 0; step < 60; ++step) {
      zero_gradients(parameters(model));
      backward(model.loss(batch(), {}));
      adam.step(0.01);
    }
    CHECK(before > 1.5);
    CHECK(model.loss(batch(), {}).value().item() < 0.9);
  }
}

TEST_CASE("recorder: every attention layer hands out weights that sum to 1 over the visible keys") {
  Transformer model(config_of(), Random(5));
  set_training(model, false);
  const NoGrad no_grad;
  const SourceBatch source = source_of({4, 5, 2, 0, 6, 7, 8, 2}, 2, {3, 4});
  AttentionRecorder recorder;
  model.loss({source, Indices({2, 3}, {1, 4, 5, 1, 6, 7}), Indices({2, 3}, {4, 5, 2, 6, 7, 2})}, {});
  REQUIRE(recorder.recorded().size() == 6);
  CHECK(recorder.recorded()[0].layer == "encoder.0.self_attention");
  CHECK(recorder.recorded()[3].layer == "decoder.0.cross_attention");
  for (const RecordedAttention& layer : recorder.recorded()) {
    const Tensor& w = layer.weights;
    for (Index row = 0; row < w.size() / w.dim(-1); ++row) {
      Real total = 0;
      for (Index key = 0; key < w.dim(-1); ++key) total += w.data()[row * w.dim(-1) + key];
      CHECK(total == Approx(1).margin(1e-5));
    }
  }
  CHECK(recorder.recorded()[0].weights({0, 0, 1, 3}) == 0);  // padding
  CHECK(recorder.recorded()[2].weights({1, 2, 0, 1}) == 0);  // the word after
}

TEST_CASE("language model: words one by one give the logits of the whole text at once") {
  StackConfig config;
  static_cast<LayerConfig&>(config) = config_of();
  config.vocabulary = 15;
  LanguageModel model(config, Random(6));
  set_training(model, false);
  const std::vector<std::int32_t> text = {3, 9, 4, 4, 12, 7};
  const NoGrad no_grad;
  const Tensor whole = model.logits(Indices({1, 6}, text)).value();
  LanguageModel::State state;
  for (Index t = 0; t < 6; ++t) {
    const Tensor step = model.next(Indices({1}, {text[static_cast<std::size_t>(t)]}), state);
    for (Index v = 0; v < 15; ++v) CHECK(step({0, v}) == Approx(whole({0, t, v})).margin(1e-4));
  }
}
