// Gradients of the classifier.
#include <gradual/nn/transformer/classifier.hpp>

#include "support/modules.hpp"

using namespace gradual;

TEST_CASE("classifier: gradients match finite differences, for both ways to pool") {
  StackConfig config;
  config.vocabulary = 6;
  config.width = 4;
  config.heads = 2;
  config.feed_forward = 5;
  config.layers = 1;
  config.dropout = 0;
  config.activation = "gelu";
  const Indices ids({2, 4}, {0, 1, 2, 3, 4, 5, 0, 0}), lengths({2}, {4, 2});
  for (const Pooling pooling : {Pooling::mean, Pooling::attention}) {
    Classifier model(config, 3, pooling, Random(1));
    check_module(model, {}, [&] { return model.logits(ids, lengths); });
  }
}
