#include "lengths.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/training/accuracy.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/transformer/language_model.hpp>

#include "../terminal/reporter.hpp"

using namespace gradual;

namespace {

constexpr Index tested_tokens = 8192;

LanguageModel new_model(const std::string& positions, const LengthSettings& settings) {
  StackConfig config;
  config.vocabulary = settings.sizes.names * (settings.sizes.values + 1);
  config.width = settings.width;
  config.heads = settings.heads;
  config.feed_forward = 2 * settings.width;
  config.layers = 1;
  config.dropout = 0;
  config.positions = positions;
  // Learned positions beyond the trained length exist, but stay what they were at first.
  config.max_length =
      std::max(settings.trained_length, *std::max_element(settings.lengths.begin(), settings.lengths.end()));
  return LanguageModel(config, Random(settings.seed));
}

void train(LanguageModel& model, const std::string& name, const LengthSettings& settings) {
  Adam adam(parameters(model));
  Trainer trainer(
      model, adam,
      {Decay::cosine, settings.learning_rate, std::max<Index>(settings.steps / 10, 1), settings.steps});
  show_progress(trainer, settings.steps, name, settings.quiet);
  Random sequences(settings.seed + 17);
  trainer.run([&](Index) {
    const RecallBatch batch =
        pairs_in_one(settings.batch, settings.trained_length, settings.sizes, sequences);
    return model.loss(batch.input, batch.target);
  });
}

RecallBatch test_sequences(Index length, const LengthSettings& settings) {
  return pairs_in_one(std::max<Index>(tested_tokens / length, 1), length, settings.sizes,
                      Random(settings.seed + 1000003));
}

double share_right(const LanguageModel& model, Index length, const LengthSettings& settings) {
  const NoGrad no_grad;
  const RecallBatch batch = test_sequences(length, settings);
  return 100 * accuracy(model.logits(batch.input).value(), batch.target);
}

double norm(const Tensor& x) {
  double squares = 0;
  for (const Real number : x) squares += static_cast<double>(number) * static_cast<double>(number);
  return std::sqrt(squares);
}

double order_matters(const LanguageModel& model, const LengthSettings& settings) {
  const NoGrad no_grad;
  const Index length = settings.trained_length;
  const RecallBatch batch = pairs_in_one(1, length, settings.sizes, Random(settings.seed + 5));
  const auto shuffled = Random(settings.seed + 6).permutation(length);
  const Indices order({length}, {shuffled.begin(), shuffled.end()});
  const auto reordered = [&](const Tensor& x) {
    return take_rows(x.with_shape({length, x.dim(2)}), order).with_shape(x.shape());
  };
  const auto attend = [&](const Tensor& words) {
    return model.layers[0].as<EncoderLayer>().self_attention(Var(words) + model.positions(0, length)).value();
  };
  const Tensor words = (model.embedding(batch.input) * std::sqrt(static_cast<Real>(settings.width))).value();
  const Tensor attended = attend(words);
  return norm((Var(attend(reordered(words))) - reordered(attended)).value()) / norm(attended);
}

std::vector<double> added_to_scores(const LanguageModel& model, Index farthest) {
  const auto& attention = model.layers[0].as<EncoderLayer>().self_attention.as<MultiHeadAttention>();
  const Index places = farthest + 1;
  const Var bias = attention.positions->bias(places, places);  // [H, 2·places - 1], the middle for itself
  if (!bias.defined()) return {};
  const Tensor mean_of_heads = mean(bias.value(), {0});
  std::vector<double> added;
  for (Index back = 0; back < places; ++back)
    added.push_back(static_cast<double>(mean_of_heads({farthest - back})));
  return added;
}

}  // namespace

std::vector<double> guesses_without_order(const LengthSettings& settings) {
  std::vector<double> guesses;
  for (const Index length : settings.lengths) {
    const RecallBatch batch = test_sequences(length, settings);
    double right = 0, asked = 0;
    for (Index at = 0; at < batch.input.size(); ++at) {
      if (batch.target[at] == RecallBatch::nothing) continue;
      const Index tokens_of_name = settings.sizes.values + 1, name = batch.target[at] / tokens_of_name;
      double had = 0, same = 0;
      for (Index before = at - at % length; before < at; ++before) {
        const Index token = batch.input[before];
        if (token / tokens_of_name != name || token % tokens_of_name == settings.sizes.values) continue;
        ++had;
        same += token == batch.target[at] ? 1 : 0;
      }
      right += same / had;
      ++asked;
    }
    guesses.push_back(asked > 0 ? 100 * right / asked : 0);
  }
  return guesses;
}

void compare_positions(const LengthSettings& settings, const std::function<void()>& begin,
                       const std::function<void(const LengthOutcome&)>& done) {
  const std::vector<std::string> kinds = position_kinds().names();
  std::vector<LanguageModel> models;  // all at once: bad settings are found before any training
  for (const std::string& kind : kinds) models.push_back(new_model(kind, settings));
  begin();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    LanguageModel& model = models[i];
    LengthOutcome outcome;
    outcome.positions = kinds[i];
    outcome.parameters = count(parameters(model));
    const std::clock_t start = std::clock();
    train(model, text(outcome.positions, ", ", i + 1, " of ", kinds.size()), settings);
    outcome.cpu_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    for (const Index length : settings.lengths)
      outcome.accuracies.push_back(share_right(model, length, settings));
    outcome.order_matters = order_matters(model, settings);
    outcome.added_to_scores = added_to_scores(model, 4 * settings.trained_length);
    done(outcome);
  }
}
