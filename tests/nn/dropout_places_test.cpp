// Where models drop numbers in training: each place by itself, and none while they are looked at.
#include <algorithm>
#include <cmath>

#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/graph/graph_attention.hpp>
#include <gradual/nn/layers/feed_forward.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/classifier.hpp>
#include <gradual/nn/transformer/language_model.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

double share_of_zeros(const Tensor& x) {
  return static_cast<double>(std::count(x.begin(), x.end(), Real(0))) / static_cast<double>(x.size());
}

// Whether two passes in training differ, and two while an EvaluationScope lives do not.
template <class Pass>
bool drops_in_training_only(Pass pass) {
  const bool drops = difference(pass(), pass()) != "";
  const EvaluationScope evaluation;
  return drops && difference(pass(), pass()) == "";
}

// A configuration whose output is what its embedding layer gives.
template <class Config>
Config embedding_only() {
  Config config;
  config.width = 64;
  config.dropout = 0.25;
  config.norm = NormPlace::after;
  return config;
}

const Indices words({2, 8}, {4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 4, 5, 6, 7, 8, 9});

}  // namespace

TEST_CASE("dropout: a transformer's embeddings lose their share") {
  auto config = embedding_only<TransformerConfig>();
  config.source_vocabulary = config.target_vocabulary = 10;
  config.encoder_layers = 0;
  const Transformer model(config, Random(1));
  CHECK(share_of_zeros(model.encode({words, Indices({2}, {8, 8})}).value()) == Approx(0.25).margin(0.05));
}

TEST_CASE("dropout: a language model's embeddings lose their share") {
  auto config = embedding_only<StackConfig>();
  config.vocabulary = 10;
  config.layers = 0;
  const LanguageModel model(config, Random(1));
  CHECK(share_of_zeros(model.hidden(words).value()) == Approx(0.25).margin(0.05));
}

TEST_CASE("dropout: a classifier's embeddings lose their share, and what is pooled of them again") {
  auto config = embedding_only<StackConfig>();
  config.vocabulary = 400;
  config.layers = 0;
  Classifier model(config, 64, Pooling::mean, Random(1));
  Tensor one({64, 64});  // the scores are what was pooled
  for (Index i = 0; i < 64; ++i) one.mutable_data()[i * 64 + i] = 1;
  model.output.weight.set_value(one);
  std::vector<std::int32_t> ids(400);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(i);
  const Tensor scores =
      model.logits(Indices({400, 1}, ids), Indices({400}, std::vector<std::int32_t>(400, 1))).value();
  CHECK(share_of_zeros(scores) == Approx(1 - 0.75 * 0.75).margin(0.02));
}

TEST_CASE("dropout: feed-forward networks of each kind drop inside") {
  const Var x = random_tensor({4, 8}, 1);
  for (const std::string kind : {"relu", "gelu", "swiglu"}) {
    INFO(kind);
    const Part<Layer> network = make_feed_forward(kind, {8, 32, 0.5}, Random(1));
    CHECK(drops_in_training_only([&] { return network(x).value(); }));
  }
}

TEST_CASE("dropout: a residual drops its part, not its shortcut") {
  LayerConfig config;
  config.width = 100;
  config.dropout = 0.25;
  const Residual around(config, Random(1));
  const auto ones = [](const Var& x) { return Var(Tensor::ones(x.shape())); };
  CHECK(share_of_zeros(around(Tensor::zeros({50, 100}), ones).value()) == Approx(0.25).margin(0.03));
  const auto zeros = [](const Var& x) { return Var(Tensor::zeros(x.shape())); };
  CHECK(share_of_zeros(around(Tensor::ones({50, 100}), zeros).value()) == 0);
}

TEST_CASE("dropout: attention drops weights, in the kernel and by scores") {
  const Var x = random_tensor({2, 6, 8}, 1);
  for (const std::string score : {"scaled_dot", "additive"}) {
    INFO(score);
    const MultiHeadAttention attention(8, 2, 0.5, Random(1), "attention", {}, {score, 6});
    CHECK(drops_in_training_only([&] { return attention(x).value(); }));
    CHECK(drops_in_training_only([&] { return attention(x, x).value(); }));
  }
}

TEST_CASE("dropout: attention over a graph drops weights") {
  const GraphAttention attention(4, 4, 2, HeadJoin::concat, 0.5, Random(1));
  const EdgeList edges = neighbourhoods(4, Indices({3}, {0, 1, 2}), Indices({3}, {1, 2, 3}));
  const Var x = random_tensor({4, 4}, 1);
  CHECK(drops_in_training_only([&] { return attention(x, edges).value(); }));
}

TEST_CASE("dropout: a recurrent translator's readout loses its share") {
  RecurrentConfig config;
  config.source_vocabulary = config.target_vocabulary = 10;
  config.embedding_width = 64;
  config.hidden_width = 32;
  config.dropout = 0.25;
  const RecurrentTranslator model(config, Random(1));
  auto memory = model.encode({words, Indices({2}, {8, 8})});
  CHECK(share_of_zeros(model.decode(words, memory).value()) == Approx(0.25).margin(0.05));
}

TEST_CASE("multi-head attention: weights begin uniform up to √(6 / 2D)") {
  const MultiHeadAttention attention(64, 4, 0, Random(1));
  const double limit = std::sqrt(6.0 / 128);
  double largest = 0;
  for (const Real w : attention.weight.value()) largest = std::max(largest, std::abs(static_cast<double>(w)));
  CHECK(largest <= limit);
  CHECK(largest > 0.99 * limit);
}
