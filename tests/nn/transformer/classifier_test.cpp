// The classifier: padding, pooling, learning, and what it refuses.
#include <gradual/nn/transformer/classifier.hpp>

#include <algorithm>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/training/optimizer.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

StackConfig small() {
  StackConfig config;
  config.vocabulary = 10;
  config.width = 8;
  config.heads = 2;
  config.feed_forward = 16;
  config.layers = 1;
  return config;
}

}  // namespace

TEST_CASE("classifier: padding changes nothing") {
  for (const Pooling pooling : {Pooling::mean, Pooling::attention}) {
    Classifier model(small(), 3, pooling, Random(1));
    set_training(model, false);
    const Tensor alone = model.logits(Indices({1, 3}, {4, 5, 6}), Indices({1}, {3})).value();
    CHECK(alone.shape() == Shape{1, 3});
    CHECK(difference(model.logits(Indices({1, 5}, {4, 5, 6, 0, 7}), Indices({1}, {3})).value(), alone) == "");
  }
}

TEST_CASE("classifier: pooling by attention hands out how much each word counted") {
  const Classifier model(small(), 3, Pooling::attention, Random(1));
  AttentionRecorder recorder;
  model.logits(Indices({2, 3}, {4, 5, 6, 7, 0, 0}), Indices({2}, {3, 1}));
  REQUIRE(recorder.recorded().size() == 2);
  CHECK(recorder.recorded()[1].layer == "pooling");
  const Tensor weights = recorder.recorded()[1].weights;
  CHECK(weights.shape() == Shape{2, 1, 1, 3});
  CHECK(weights({1, 0, 0, 0}) == 1);
}

TEST_CASE("classifier: learns whether a word occurs") {
  for (const Pooling pooling : {Pooling::mean, Pooling::attention}) {
    StackConfig config = small();
    config.dropout = 0;
    Classifier model(config, 2, pooling, Random(1));
    Adam adam(parameters(model), {});
    Random random(5);
    Real loss = 1;
    for (int step = 0; step < 200; ++step) {
      std::vector<std::int32_t> words, lengths, labels;
      for (int b = 0; b < 32; ++b) {
        const auto length = static_cast<std::int32_t>(1 + random.below(6));
        bool occurs = false;
        for (std::int32_t i = 0; i < 6; ++i) {
          words.push_back(static_cast<std::int32_t>(random.below(10)));
          occurs = occurs || (i < length && words.back() == 3);
        }
        lengths.push_back(length);
        labels.push_back(occurs);
      }
      zero_gradients(parameters(model));
      const Var mean_loss =
          model.loss(Indices({32, 6}, words), Indices({32}, lengths), Indices({32}, labels));
      backward(mean_loss);
      adam.step(0.01);
      loss = mean_loss.value().item();
    }
    CHECK(loss < 0.1);  // log 2 at first
  }
}

TEST_CASE("classifier: a bad configuration and labels outside the classes are refused") {
  CHECK_THROWS_WITH(Classifier(small(), 1, Pooling::mean, Random(1)),
                    "classifier: there must be at least two classes: got 1");
  StackConfig config = small();
  config.heads = 3;
  CHECK_THROWS_WITH(Classifier(config, 2, Pooling::mean, Random(1)),
                    "transformer: heads must divide width: heads is 3, width is 8");
  const Classifier model(small(), 2, Pooling::mean, Random(1));
  CHECK_THROWS_AS(model.loss(Indices({1, 2}, {1, 2}), Indices({1}, {2}), Indices({1}, {2})),
                  std::invalid_argument);
  CHECK_THROWS_AS(model.logits(Indices({1, 2}, {1, 2}), Indices({1}, {3})), std::invalid_argument);
}
