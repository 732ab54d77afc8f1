#include <gradual/nn/decoding/sample.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/nn/decoding/word_by_word.hpp>

namespace gradual {

namespace {

// Of each next word's logits [B, V] scores(logits) makes the table from whose rows choose(b, row, V, stream)
// takes words; each translation has a stream of random numbers of its own.
template <class Scores, class Choose>
std::vector<Hypothesis> draw_words(const TranslationModel& model, const SourceBatch& source,
                                   const DecodingOptions& options, Random random, Scores scores,
                                   Choose choose, Index each = 1) {
  std::vector<Random> streams;
  for (Index t = 0; t < source.ids.dim(0) * each; ++t) streams.push_back(random.split());
  const auto draw = [&](const Indices& words, TranslationModel::State& state,
                        const std::vector<Index>& translations) {
    Tensor table = scores(model.next(words, state));
    const Index vocabulary = table.dim(1);
    Real* row = table.mutable_data();
    std::vector<ChosenWord> chosen;
    for (const Index translation : translations) {
      const auto b = static_cast<Index>(chosen.size());
      chosen.push_back(choose(b, row, vocabulary, streams[static_cast<std::size_t>(translation)]));
      row += vocabulary;
    }
    return chosen;
  };
  return write_word_by_word("sample", model, source, options, draw, each);
}

// Gives the suppressed words of a row this number.
void suppress(Real* row, Index vocabulary, const std::vector<std::int32_t>& suppressed, Real number) {
  for (const std::int32_t id : suppressed)
    if (id >= 0 && id < vocabulary) row[id] = number;
}

// Logits [B, V] without the largest of their row, which changes no softmax, divided by a temperature: however
// low this is, that one stays 0, if it may be written.
Tensor tempered(Tensor logits, double temperature, const std::vector<std::int32_t>& suppressed) {
  const Index vocabulary = logits.dim(1);
  Real* row = logits.mutable_data();
  for (Index b = 0; b < logits.dim(0); ++b, row += vocabulary) {
    suppress(row, vocabulary, suppressed, -std::numeric_limits<Real>::infinity());
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
      [&](Index, const Real* log_probabilities, Index vocabulary, Random& stream) -> ChosenWord {
        const std::int32_t token =
            choose_token(log_probabilities, vocabulary, sampling, stream, options.suppressed);
        return {token, token < 0 ? 0 : static_cast<double>(log_probabilities[token])};
      });
}

std::vector<Hypothesis> ancestral_samples(const TranslationModel& model, const SourceBatch& source,
                                          const DecodingOptions& options, double temperature, Random random,
                                          Index each) {
  SamplingOptions checked;
  checked.temperature = temperature;
  checked.check();
  Tensor own;  // the model's log-probabilities [B, V], where what is drawn from has others
  return draw_words(
      model, source, options, random,
      [&](const Tensor& logits) {
        if (temperature == 1) return softmax(logits);
        own = log_softmax(logits);
        return softmax(tempered(logits, temperature, options.suppressed));
      },
      [&](Index b, Real* probabilities, Index vocabulary, Random& stream) -> ChosenWord {
        suppress(probabilities, vocabulary, options.suppressed, 0);
        double total = 0;
        for (Index j = 0; j < vocabulary; ++j) total += static_cast<double>(probabilities[j]);
        double left = stream.uniform() * total;
        std::int32_t token = -1;
        for (Index j = 0; total > 0 && j < vocabulary && left >= 0; ++j) {
          if (probabilities[j] <= 0) continue;
          token = static_cast<std::int32_t>(j);  // the last one where rounding leaves a little
          left -= static_cast<double>(probabilities[j]);
        }
        if (token < 0) return {token, 0};
        return {token, own.defined() ? static_cast<double>(own.data()[b * vocabulary + token])
                                     : std::log(static_cast<double>(probabilities[token]))};
      },
      each);
}

}  // namespace gradual
