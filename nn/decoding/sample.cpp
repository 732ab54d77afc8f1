#include <gradual/nn/decoding/sample.hpp>

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

}  // namespace gradual
