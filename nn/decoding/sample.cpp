#include <gradual/nn/decoding/sample.hpp>

#include <cmath>

#include <gradual/nn/decoding/word_by_word.hpp>

namespace gradual {

std::vector<Hypothesis> sample(const TranslationModel& model, const SourceBatch& source,
                               const DecodingOptions& options, const SamplingOptions& sampling,
                               Random random) {
  sampling.check();
  std::vector<Random> streams;
  for (Index b = 0; b < source.ids.dim(0); ++b) streams.push_back(random.split());
  const auto draw = [&](const Indices& words, TranslationModel::State& state,
                        const std::vector<Index>& sentences) {
    const Tensor log_probabilities = log_softmax(model.next(words, state));  // [B, V]
    const Index vocabulary = log_probabilities.dim(1);
    std::vector<ChosenWord> chosen;
    for (Index sentence : sentences) {
      const Real* row = log_probabilities.data() + static_cast<Index>(chosen.size()) * vocabulary;
      const std::int32_t token = choose_token(
          row, vocabulary, sampling, streams[static_cast<std::size_t>(sentence)], options.suppressed);
      chosen.push_back({token, token < 0 ? 0 : static_cast<double>(row[token])});
    }
    return chosen;
  };
  return write_word_by_word("sample", model, source, options, draw);
}

std::vector<Hypothesis> ancestral_samples(const TranslationModel& model, const SourceBatch& source,
                                          const DecodingOptions& options, double temperature, Random random) {
  SamplingOptions checked;
  checked.temperature = temperature;
  checked.check();
  std::vector<Random> streams;
  for (Index b = 0; b < source.ids.dim(0); ++b) streams.push_back(random.split());
  const auto draw = [&](const Indices& words, TranslationModel::State& state,
                        const std::vector<Index>& sentences) {
    const Tensor logits = model.next(words, state);  // [B, V]
    Tensor probabilities = softmax(temperature == 1 ? logits : logits * static_cast<Real>(1 / temperature));
    const Index vocabulary = probabilities.dim(1);
    Real* row = probabilities.mutable_data();
    std::vector<ChosenWord> chosen;
    for (Index sentence : sentences) {
      for (const std::int32_t id : options.suppressed)
        if (id >= 0 && id < vocabulary) row[id] = 0;
      double total = 0;
      for (Index j = 0; j < vocabulary; ++j) total += static_cast<double>(row[j]);
      double left = streams[static_cast<std::size_t>(sentence)].uniform() * total;
      std::int32_t token = -1;
      for (Index j = 0; total > 0 && j < vocabulary && left >= 0; ++j) {
        if (row[j] <= 0) continue;
        token = static_cast<std::int32_t>(j);  // the last one where rounding leaves a little
        left -= static_cast<double>(row[j]);
      }
      chosen.push_back({token, token < 0 ? 0 : std::log(static_cast<double>(row[token]))});
      row += vocabulary;
    }
    return chosen;
  };
  return write_word_by_word("sample", model, source, options, draw);
}

}  // namespace gradual
