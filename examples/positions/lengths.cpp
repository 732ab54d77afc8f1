#include "lengths.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/recorder.hpp>
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
  config.max_length = std::max(4 * settings.trained_length,
                               *std::max_element(settings.lengths.begin(), settings.lengths.end()));
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

Index name_of(Index token, const LengthSettings& settings) { return token / (settings.sizes.values + 1); }
bool is_question(Index token, const LengthSettings& settings) {
  return token % (settings.sizes.values + 1) == settings.sizes.values;
}

// Of the sequences to test on, the first whose last item asks for a name that has had several values; -1
// where none does.
Index asking_sequence(const RecallBatch& batch, Index length, const LengthSettings& settings) {
  for (Index last = length - 1; last < batch.input.size(); last += length) {
    if (batch.target[last] == RecallBatch::nothing) continue;
    for (Index before = last - length + 1; before < last; ++before) {
      const Index token = batch.input[before];
      if (name_of(token, settings) == name_of(batch.target[last], settings) &&
          !is_question(token, settings) && token != batch.target[last])
        return last / length;
    }
  }
  return -1;
}

void look(const LanguageModel& model, Index length, const LengthSettings& settings,
          std::vector<QuestionLook>& looks) {
  const RecallBatch batch = test_sequences(length, settings);
  const Index row = asking_sequence(batch, length, settings);
  if (row < 0) return;
  const auto from = batch.input.begin() + row * length;
  const NoGrad no_grad;
  const AttentionRecorder recorder;
  const Tensor logits = model.logits(Indices({1, length}, {from, from + length})).value();  // [1, T, V]
  const Tensor weights = recorder.recorded().front().weights;                               // [1, H, T, T]
  QuestionLook its;
  for (Index place = 0; place < length; ++place) {
    double sum = 0;
    for (Index head = 0; head < weights.dim(1); ++head)
      sum += static_cast<double>(weights({Index(0), head, length - 1, place}));
    its.items.push_back(token_of_pairs_in_one(*(from + place), settings.sizes));
    its.weights.push_back(sum / static_cast<double>(weights.dim(1)));
  }
  Index answer = 0;
  for (Index token = 0; token < logits.dim(2); ++token)
    if (logits({Index(0), length - 1, token}) > logits({Index(0), length - 1, answer})) answer = token;
  its.right = token_of_pairs_in_one(batch.target[row * length + length - 1], settings.sizes);
  its.answer = token_of_pairs_in_one(static_cast<std::int32_t>(answer), settings.sizes);
  looks.push_back(std::move(its));
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

GuessesWithoutOrder guesses_without_order(const LengthSettings& settings) {
  GuessesWithoutOrder guesses;
  for (const Index length : settings.lengths) {
    const RecallBatch batch = test_sequences(length, settings);
    double any = 0, commonest = 0, asked = 0;
    for (Index at = 0; at < batch.input.size(); ++at) {
      if (batch.target[at] == RecallBatch::nothing) continue;
      std::map<Index, double> times;  // that a value of the name came
      double all = 0, most = 0;
      for (Index before = at - at % length; before < at; ++before) {
        const Index token = batch.input[before];
        if (name_of(token, settings) != name_of(batch.target[at], settings) || is_question(token, settings))
          continue;
        most = std::max(most, ++times[token]);
        ++all;
      }
      const double right = times[batch.target[at]];
      const auto as_common =
          std::count_if(times.begin(), times.end(), [&](const auto& each) { return each.second == most; });
      any += right / all;
      commonest += right == most ? 1 / static_cast<double>(as_common) : 0;
      ++asked;
    }
    guesses.any.push_back(asked > 0 ? 100 * any / asked : 0);
    guesses.commonest.push_back(asked > 0 ? 100 * commonest / asked : 0);
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
    look(model, settings.trained_length, settings, outcome.looks);
    look(model, 4 * settings.trained_length, settings, outcome.looks);
    done(outcome);
  }
}
