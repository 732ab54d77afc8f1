// Every place where a model drops numbers in training does drop them: what comes out is looked at, and where
// several places meet, the masks that are drawn are counted.
#include <algorithm>
#include <cmath>
#include <set>

#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/multi_head_naive.hpp>
#include <gradual/nn/graph/graph_attention.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/classifier.hpp>
#include <gradual/nn/transformer/language_model.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

constexpr double half = 0.5;  // what is kept counts twice

template <class Config>
Config dropping() {
  Config config;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 24;
  config.dropout = half;
  config.attention_dropout = half;
  return config;
}

TransformerConfig dropping_config() {
  auto config = dropping<TransformerConfig>();
  config.source_vocabulary = config.target_vocabulary = 12;
  config.encoder_layers = config.decoder_layers = 1;
  return config;
}

StackConfig dropping_stack() {
  auto config = dropping<StackConfig>();
  config.vocabulary = 12;
  config.layers = 1;
  return config;
}

Indices some_words(Index rows, Index length) {
  std::vector<std::int32_t> ids;
  for (Index i = 0; i < rows * length; ++i) ids.push_back(static_cast<std::int32_t>(4 + (5 * i + i / 3) % 8));
  return Indices({rows, length}, std::move(ids));
}

SourceBatch some_source(Index rows, Index length) {
  return {some_words(rows, length),
          Indices({rows}, std::vector<std::int32_t>(static_cast<std::size_t>(rows),
                                                    static_cast<std::int32_t>(length)))};
}

double share_of_zeros(const Tensor& x) {
  return static_cast<double>(std::count(x.begin(), x.end(), Real(0))) / static_cast<double>(x.size());
}

// How many masks are drawn meanwhile: each takes a number of the stream that a model was made with.
template <class Work>
std::uint64_t masks_drawn(const Random& stream, Work work) {
  const std::uint64_t before = stream.state().position;
  work();
  return stream.state().position - before;
}

void set_identity(Linear& linear) {
  Tensor weight = Tensor::zeros(linear.weight.shape());
  for (Index i = 0; i < weight.dim(0); ++i) weight.mutable_data()[i * weight.dim(1) + i] = 1;
  linear.weight.set_value(weight);
  linear.bias.set_value(Tensor::zeros(linear.bias.shape()));
}

// About half of the numbers are zero in training, and the others twice what they are otherwise.
void check_half_dropped(const Tensor& in_training, const Tensor& otherwise, double scale = 2) {
  REQUIRE(in_training.shape() == otherwise.shape());
  const double kept = 1 / scale;
  CHECK(share_of_zeros(in_training) == Approx(1 - kept).margin(0.1));
  for (Index i = 0; i < otherwise.size(); ++i) {
    const auto dropped = static_cast<double>(in_training.data()[i]);
    if (dropped != 0) CHECK(dropped == Approx(scale * static_cast<double>(otherwise.data()[i])));
  }
}

}  // namespace

TEST_CASE("dropout places: inside the feed-forward network, for both activations") {
  for (const Activation activation : {Activation::relu, Activation::gelu}) {
    FeedForward network(16, 16, activation, half, Random(1));
    for (Linear* linear : {&network.inner, &network.outer}) set_identity(*linear);
    const Tensor x = Tensor::ones({20, 16});
    const Tensor in_training = network(x).value();
    set_training(network, false);
    check_half_dropped(in_training, network(x).value());
  }
}

TEST_CASE(
    "dropout places: inside the feed-forward network of a layer as elsewhere, or as its own setting says") {
  const auto dropped_inside = [](double own) {
    LayerConfig config = dropping<LayerConfig>();
    config.feed_forward = 16;
    config.feed_forward_dropout = own;
    EncoderLayer layer(config, Random(1), "");
    auto& network = dynamic_cast<FeedForward&>(*layer.feed_forward);
    for (Linear* linear : {&network.inner, &network.outer}) set_identity(*linear);
    return share_of_zeros(network(Tensor::ones({40, 16})).value());
  };
  CHECK(dropped_inside(-1) == Approx(half).margin(0.1));
  CHECK(dropped_inside(0) == 0);
  CHECK(dropped_inside(0.25) == Approx(0.25).margin(0.1));
  LayerConfig config = dropping<LayerConfig>();
  config.feed_forward_dropout = -0.5;
  CHECK_THROWS_AS(config.check(), std::invalid_argument);
}

TEST_CASE("dropout places: inside a gated feed-forward network") {
  SwiGlu network(16, 16, half, Random(1));
  const Tensor ones = Tensor::ones({20, 16});
  Tensor one = Tensor::zeros({16, 16});
  for (Index i = 0; i < 16; ++i) one.mutable_data()[17 * i] = 1;
  for (Linear* linear : {&network.gate, &network.inner, &network.outer}) linear->weight.set_value(one);
  const Tensor in_training = network(ones).value();
  const EvaluationScope evaluation;
  check_half_dropped(in_training, network(ones).value());
}

TEST_CASE("dropout places: what a residual adds, and not what it adds to") {
  Residual before(LayerNorm(16), half, NormPlace::before, Random(1));
  const auto ones = [](const Var& y) { return Var(Tensor::ones(y.shape())); };
  const Tensor added = before(Tensor::full({20, 16}, 3), ones).value() - Tensor::full({20, 16}, 3);
  check_half_dropped(added, Tensor::ones({20, 16}));
  // With the norm after the sum a row holds two different numbers: what was kept, and what was dropped.
  Residual after(LayerNorm(16), half, NormPlace::after, Random(1));
  const Tensor y = after(Tensor::zeros({1, 16}), ones).value();
  CHECK(std::set<Real>(y.begin(), y.end()).size() == 2);
}

// Attention whose values are all 1: an average of them is 1, and the sum of what is left of the weights is
// not.
template <class Attention>
void check_weights_drop(Attention& attention) {
  const Var x = Tensor::ones({4, 6, 16});
  std::set<Real> sums;
  double mean = 0;
  const Tensor in_training = attention(x, x).value();
  for (const Real sum : in_training) {
    sums.insert(std::round(sum * 3) / 3);  // of six weights of 1/6, each dropped or twice that: n/3
    mean += static_cast<double>(sum) / static_cast<double>(in_training.size());
  }
  CHECK(sums.size() >= 4);
  CHECK(mean == Approx(1).margin(0.25));
  set_training(attention, false);
  const Tensor evaluated = attention(x, x).value();
  for (const Real sum : evaluated) CHECK(sum == Approx(1));
}

TEST_CASE("dropout places: attention weights, with the kernel and head by head") {
  for (const char* score : {"scaled_dot", "additive"}) {
    INFO(score);
    MultiHeadAttention attention(16, 2, half, Random(1), "attention", {}, {score});
    attention.weight.set_value(Tensor::zeros({48, 16}));
    Tensor bias = Tensor::zeros({48});
    std::fill_n(bias.mutable_data() + 32, 16, Real(1));
    attention.bias.set_value(bias);
    set_identity(attention.output);
    check_weights_drop(attention);
  }
}

TEST_CASE("dropout places: attention weights where the heads are a list") {
  MultiHeadNaive attention({16, 2, 8, 8}, "scaled_dot", half, Random(1));
  for (AttentionHead& head : attention.heads) {
    head.values.weight.set_value(Tensor::zeros({8, 16}));
    head.values.bias.set_value(Tensor::ones({8}));
    head.queries.weight.set_value(Tensor::zeros({8, 16}));  // all keys alike
  }
  set_identity(attention.output);
  check_weights_drop(attention);
}

TEST_CASE("dropout places: the embeddings of a transformer's encoder and decoder") {
  TransformerConfig config = dropping_config();
  config.encoder_layers = 0;
  config.norm = NormPlace::after;  // nothing comes after the last layer, and there is none
  Transformer model(config, Random(1));
  const SourceBatch source = some_source(6, 5);
  const Tensor in_training = model.encode(source).value();
  set_training(model, false);
  check_half_dropped(in_training, model.encode(source).value());
}

TEST_CASE("dropout places: the embedding of a language model") {
  LanguageModel model(dropping_stack(), Random(1));
  // Layers that add nothing, and a norm: in a row, all that was dropped is one and the same number.
  for (const NamedParameter& each : parameters(model))
    if (each.name.rfind("layers.", 0) == 0)
      Var(each.variable).set_value(Tensor::zeros(each.variable.shape()));
  const Tensor hidden = model.hidden(some_words(6, 5)).value();
  double repeated = 0;
  for (Index row = 0; row < 30; ++row) {
    const Real* first = hidden.data() + 16 * row;
    repeated += 16 - static_cast<double>(std::set<Real>(first, first + 16).size());
  }
  CHECK(repeated / (30 * 16) == Approx(half - 1.0 / 16).margin(0.1));
}

TEST_CASE("dropout places: a model draws a mask for each of them") {
  TransformerConfig config = dropping_config();
  const SourceBatch source = some_source(2, 5);
  const TranslationBatch batch{source, some_words(2, 5), some_words(2, 5)};
  const std::uint64_t embedding = 1, attention = 1, residual = 1, network = 1;
  const std::uint64_t encoder_layer = attention + network + 2 * residual,
                      decoder_layer = 2 * attention + network + 3 * residual;
  const Random stream(1);
  {
    const Transformer model(config, stream);
    CHECK(masks_drawn(stream, [&] { model.loss(batch, {}); }) ==
          2 * embedding + encoder_layer + decoder_layer);
  }
  {
    const LanguageModel model(dropping_stack(), stream);
    CHECK(masks_drawn(stream, [&] { model.loss(batch.input, batch.output); }) == embedding + encoder_layer);
  }
  {
    config.attention = "additive";  // each head by itself
    const Transformer model(config, stream);
    CHECK(masks_drawn(stream, [&] { model.loss(batch, {}); }) ==
          2 * embedding + encoder_layer + decoder_layer + 3 * (2 - 1) * attention);
  }
}

TEST_CASE("dropout places: the embedding and the pooled vector of a classifier") {
  StackConfig config = dropping_stack();
  config.layers = 0;
  config.norm = NormPlace::after;
  Classifier model(config, config.width, Pooling::mean, Random(1));
  set_identity(model.output);
  // A text of one word: its embedding is dropped once, and as the mean of the text once more.
  const Indices words = some_words(40, 1), lengths({40}, std::vector<std::int32_t>(40, 1));
  const Tensor in_training = model.logits(words, lengths).value();
  set_training(model, false);
  check_half_dropped(in_training, model.logits(words, lengths).value(), 4);
}

TEST_CASE("dropout places: the embeddings and the readout of a recurrent translator") {
  RecurrentConfig config;
  config.source_vocabulary = config.target_vocabulary = 12;
  config.embedding_width = config.hidden_width = 16;
  config.dropout = half;
  const Random stream(1);
  const RecurrentTranslator model(config, stream);
  const SourceBatch source = some_source(3, 4);
  RecurrentTranslator::Memory memory;
  CHECK(masks_drawn(stream, [&] { memory = model.encode(source); }) == 1);
  CHECK(model.encode(source).values.value().to_vector() != memory.values.value().to_vector());
  Tensor written;
  CHECK(masks_drawn(stream, [&] { written = model.decode(some_words(3, 5), memory).value(); }) == 2);
  CHECK(share_of_zeros(written) == Approx(half).margin(0.1));  // tanh is 0 at no other place
}

TEST_CASE("dropout places: the weights of graph attention") {
  const Index nodes = 30;
  std::vector<std::int32_t> from, to;
  for (std::int32_t i = 0; i < nodes; ++i)
    for (std::int32_t step = 1; step <= 3; ++step) {
      from.push_back(i);
      to.push_back((i + step) % static_cast<std::int32_t>(nodes));
    }
  const Shape edges{static_cast<Index>(from.size())};
  const EdgeList graph = neighbourhoods(nodes, Indices(edges, from), Indices(edges, to));
  GraphAttention attention(2, 4, 2, HeadJoin::concat, half, Random(1));
  const Var ones = Tensor::ones({nodes, 8});
  const Tensor in_training = attention.attend(ones, graph).value();
  double others = 0;
  for (const Real sum : in_training) others += std::abs(sum - 1) > Real(1e-4) ? 1 : 0;
  CHECK(others / static_cast<double>(in_training.size()) > 0.5);
  set_training(attention, false);
  const Tensor evaluated = attention.attend(ones, graph).value();
  for (const Real sum : evaluated) CHECK(sum == Approx(1));
}

TEST_CASE(
    "attention: its first weights are uniform with the variance that keeps signals as large as they are") {
  const Index width = 64;
  const MultiHeadAttention attention(width, 4, 0, Random(1));
  const double limit = std::sqrt(6.0 / (2 * width));  // Glorot and Bengio 2010, eq. 16
  const auto check = [&](const Real* first, Index count) {
    double squares = 0, largest = 0;
    for (Index i = 0; i < count; ++i) {
      squares += static_cast<double>(first[i]) * static_cast<double>(first[i]);
      largest = std::max(largest, std::abs(static_cast<double>(first[i])));
    }
    CHECK(squares / static_cast<double>(count) == Approx(limit * limit / 3).epsilon(0.1));
    CHECK(largest < limit);
    CHECK(largest > 0.97 * limit);
  };
  for (Index part = 0; part < 3; ++part)  // queries, keys, values
    check(attention.weight.value().data() + part * width * width, width * width);
  check(attention.output.weight.value().data(), width * width);
}

TEST_CASE(
    "dropout places: word dropout zeroes whole vectors, leaves the others, and passes slopes likewise") {
  WordDropout drop(0.3, Random(1));
  const Var x = Var::parameter(Tensor::full({20, 30, 8}, 3));
  const Var y = drop(x);
  backward(y, Tensor::ones(y.shape()));
  Index dropped = 0;
  for (Index word = 0; word < 600; ++word) {
    const Real first = y.value().data()[8 * word];
    CHECK((first == 0 || first == 3));
    dropped += first == 0;
    for (Index i = 0; i < 8; ++i) {
      CHECK(y.value().data()[8 * word + i] == first);
      CHECK(x.grad().data()[8 * word + i] == first / 3);
    }
  }
  CHECK(static_cast<double>(dropped) / 600 == Approx(0.3).margin(0.075));  // four standard deviations
  set_training(drop, false);
  CHECK(drop(x).value().to_vector() == x.value().to_vector());
  CHECK_THROWS_AS(WordDropout(1, Random(1)), std::invalid_argument);
}

TEST_CASE("dropout places: words of either side, in a transformer and in a recurrent translator") {
  TransformerConfig config = dropping_config();
  config.dropout = config.attention_dropout = 0;
  RecurrentConfig recurrent;
  recurrent.source_vocabulary = recurrent.target_vocabulary = 12;
  recurrent.embedding_width = recurrent.hidden_width = 16;
  recurrent.dropout = 0;
  const TranslationBatch batch{some_source(3, 5), some_words(3, 4), some_words(3, 4)};
  for (const double p : {0.0, 0.4}) {
    config.word_dropout = recurrent.word_dropout = p;
    const Random one(1), other(1);
    const Transformer transformer(config, one);
    const RecurrentTranslator translator(recurrent, other);
    CHECK(masks_drawn(one, [&] { transformer.loss(batch, {}); }) == (p > 0 ? 2 : 0));
    CHECK(masks_drawn(other, [&] { translator.loss(batch, {}); }) == (p > 0 ? 2 : 0));
  }
  config.word_dropout = recurrent.word_dropout = 1;
  CHECK_THROWS_WITH(config.check(), "transformer: word_dropout must lie in [0, 1): got 1");
  CHECK_THROWS_WITH(recurrent.check(), "recurrent translator: word_dropout must lie in [0, 1): got 1");
}
