#include <gradual/nn/decoding/sample.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/nn/decoding/word_by_word.hpp>

namespace gradual {

namespace {

// Of each next word's logits [B, V] scores(logits) makes the table from whose rows choose(row, V, stream)
// takes words; each sentence has a stream of random numbers of its own.
template <class Scores, class Choose>
std::vector<Hypothesis> draw_words(const TranslationModel& model, const SourceBatch& source,
                                   const DecodingOptions& options, Random random, Scores scores,
                                   Choose choose) {
  std::vector<Random> streams;
  for (Index b = 0; b < source.ids.dim(0); ++b) streams.push_back(random.split());
  const auto draw = [&](const Indices& words, TranslationModel::State& state,
                        const std::vector<Index>& sentences) {
    Tensor table = scores(model.next(words, state));
    const Index vocabulary = table.dim(1);
    Real* row = table.mutable_data();
    std::vector<ChosenWord> chosen;
    for (Index sentence : sentences) {
      chosen.push_back(choose(row, vocabulary, streams[static_cast<std::size_t>(sentence)]));
      row += vocabulary;
    }
    return chosen;
  };
  return write_word_by_word("sample", model, source, options, draw);
}

// Logits [B, V] without the largest of their row, which changes no softmax, divided by a temperature: however
// low this is, none becomes infinity or more.
Tensor tempered(Tensor logits, double temperature) {
  const Index vocabulary = logits.dim(1);
  Real* row = logits.mutable_data();
  for (Index b = 0; b < logits.dim(0); ++b, row += vocabulary) {
    const auto largest = static_cast<double>(*std::max_element(row, row + vocabulary));
    for (Index j = 0; j < vocabulary; ++j)
      row[j] = static_cast<Real>((static_cast<double>(row[j]) - largest) / temperature);
  }
  return logits;
}

}  // namespace

std::vector<Hypothesis> sample(const TranslationModel& model, const SourceBatch& source,
                               const DecodingOptions& options, const SamplingOptions& sampling,
                               Random random) {
  sampling.check();
  return draw_words(
      model, source, options, random, [](const Tensor& logits) { return log_softmax(logits); },
      [&](const Real* log_probabilities, Index vocabulary, Random& stream) -> ChosenWord {
        const std::int32_t token =
            choose_token(log_probabilities, vocabulary, sampling, stream, options.suppressed);
        return {token, token < 0 ? 0 : static_cast<double>(log_probabilities[token])};
      });
}

std::vector<Hypothesis> ancestral_samples(const TranslationModel& model, const SourceBatch& source,
                                          const DecodingOptions& options, double temperature, Random random) {
  SamplingOptions checked;
  checked.temperature = temperature;
  checked.check();
  return draw_words(
      model, source, options, random,
      [&](const Tensor& logits) {
        return softmax(temperature == 1 ? logits : tempered(logits, temperature));
      },
      [&](Real* probabilities, Index vocabulary, Random& stream) -> ChosenWord {
        for (const std::int32_t id : options.suppressed)
          if (id >= 0 && id < vocabulary) probabilities[id] = 0;
        double total = 0;
        for (Index j = 0; j < vocabulary; ++j) total += static_cast<double>(probabilities[j]);
        double left = stream.uniform() * total;
        std::int32_t token = -1;
        for (Index j = 0; total > 0 && j < vocabulary && left >= 0; ++j) {
          if (probabilities[j] <= 0) continue;
          token = static_cast<std::int32_t>(j);  // the last one where rounding leaves a little
          left -= static_cast<double>(probabilities[j]);
        }
        return {token, token < 0 ? 0 : std::log(static_cast<double>(probabilities[token]))};
      });
}

}  // namespace gradual
