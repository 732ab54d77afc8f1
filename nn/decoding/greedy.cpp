#include <gradual/nn/decoding/greedy.hpp>

#include <gradual/nn/decoding/word_by_word.hpp>

namespace gradual {

std::vector<Hypothesis> greedy(const TranslationModel& model, const SourceBatch& source,
                               const DecodingOptions& options) {
  const auto likeliest = [&](const Indices& words, TranslationModel::State& state, const auto&) {
    const TopClasses best = model.next_best(words, state, 1, options.suppressed);
    std::vector<ChosenWord> chosen;
    for (std::size_t row = 0; row < best.ids.size(); ++row)
      chosen.push_back({best.ids[row], static_cast<double>(best.log_probabilities[row])});
    return chosen;
  };
  return write_word_by_word("greedy", model, source, options, likeliest);
}

}  // namespace gradual
