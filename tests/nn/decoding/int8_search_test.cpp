// Searching with products in 8 bits, and with packed weights.
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/nn/decoding/beam_search.hpp>
#include <gradual/nn/decoding/greedy.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

using Words = std::vector<std::int32_t>;
constexpr Index fifty_words = 50;

// Wide enough for packing, as initialised: no pointer to its weights was given out.
Transformer wide_transformer(std::uint64_t seed, bool output_bias = false) {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = fifty_words;
  config.width = 32;
  config.heads = 4;
  config.feed_forward = 64;
  config.encoder_layers = config.decoder_layers = 2;
  config.output_bias = output_bias;
  Transformer model(config, Random(seed));
  set_training(model, false);
  return model;
}

// Logits after two words of each sentence.
Tensor logits_of(const Transformer& model, const SourceBatch& source) {
  const auto state = model.start(source);
  const Words words(static_cast<std::size_t>(source.ids.dim(0)), 1);
  model.next(one_each(words), *state);
  return model.next(one_each(words), *state);
}

double root_mean_square(const Tensor& x) {
  double squares = 0;
  for (const Real each : x) squares += static_cast<double>(each) * static_cast<double>(each);
  return std::sqrt(squares / static_cast<double>(x.size()));
}

}  // namespace

TEST_CASE("search in 8 bits: logits are near those of the weights as they are, and not the same") {
  Transformer model = wide_transformer(1, GENERATE(false, true));
  const SourceBatch source = random_sentences({5, 3, 6}, fifty_words, 2);
  const Tensor exact = logits_of(model, source);
  CHECK(model.precision() == Precision::real);
  model.set_precision(Precision::int8);
  CHECK(model.precision() == Precision::int8);
  const Tensor rounded = logits_of(model, source);
  CHECK(rounded.to_vector() != exact.to_vector());
  CHECK(root_mean_square(rounded - exact) < 0.06 * root_mean_square(exact));
  model.set_precision(Precision::real);
  CHECK(logits_of(model, source).to_vector() == exact.to_vector());
}

TEST_CASE("search in 8 bits: the best words are those of its table of logits") {
  Transformer model = wide_transformer(3);
  model.set_precision(Precision::int8);
  const SourceBatch source = random_sentences({4, 4}, fifty_words, 5);
  const auto table = model.start(source), best = model.start(source);
  const TopClasses expected = top_log_softmax(model.next(one_each({1, 7}), *table), 3, {0});
  const TopClasses found = model.next_best(one_each({1, 7}), *best, 3, {0});
  CHECK(found.ids == expected.ids);
  for (std::size_t i = 0; i < found.ids.size(); ++i)
    CHECK(found.log_probabilities[i] == Approx(expected.log_probabilities[i]).epsilon(1e-5).margin(1e-5));
}

TEST_CASE("search in 8 bits: a sentence's translation does not depend on the others of its batch") {
  Transformer model = wide_transformer(4);
  model.set_precision(Precision::int8);
  const SourceBatch batch = random_sentences({6, 2, 5, 6, 3}, fifty_words, 6);
  DecodingOptions options;
  options.max_length = 12;
  const std::vector<Hypothesis> together = greedy(model, batch, options);
  for (Index b = 0; b < 5; ++b) {
    const Hypothesis alone = greedy(model, only(batch, b), options).front();
    CHECK(alone.tokens == together[static_cast<std::size_t>(b)].tokens);
  }
}

TEST_CASE(
    "search: packed weights of many rows give the same bits again, and are packed anew when the model has "
    "learnt") {
  const Transformer model = wide_transformer(7);
  const SourceBatch batch = random_sentences(Words(60, 5), fifty_words, 8);
  BeamOptions options;
  options.beam_size = 5;  // 300 rows
  options.max_length = 6;
  const auto found = [&](const Transformer& by) {
    std::vector<double> numbers;
    for (const auto& hypotheses : beam_search(by, batch, options)) {
      numbers.push_back(hypotheses.front().log_probability);
      numbers.insert(numbers.end(), hypotheses.front().tokens.begin(), hypotheses.front().tokens.end());
    }
    return numbers;
  };
  const std::vector<double> first = found(model);
  CHECK(found(model) == first);
  Transformer learnt = model;  // the same parameters
  for (NamedParameter each : parameters(learnt)) {
    Real* numbers = each.variable.unguarded_data();
    for (Index i = 0; i < each.variable.size(); ++i) numbers[i] *= Real(1.1);
  }
  const std::vector<double> later = found(model);
  CHECK(later != first);
  Transformer other = wide_transformer(7);
  for (NamedParameter each : parameters(other)) {
    Real* numbers = each.variable.unguarded_data();
    for (Index i = 0; i < each.variable.size(); ++i) numbers[i] *= Real(1.1);
  }
  CHECK(found(other) == later);
}

TEST_CASE("search in 8 bits: a model of another kind refuses it") {
  TableModel model([](std::int32_t, const Words&) { return std::vector<double>{1}; });
  CHECK_NOTHROW(model.set_precision(Precision::real));
  CHECK_THROWS_WITH(model.set_precision(Precision::int8),
                    "translation model: a model of this kind has no products in 8 bits");
}
