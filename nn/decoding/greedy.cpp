#include <gradual/nn/decoding/greedy.hpp>

#include <gradual/core/kernels/top_rows.hpp>
#include <gradual/nn/decoding/word_by_word.hpp>

namespace gradual {

std::vector<Hypothesis> greedy(const TranslationModel& model, const SourceBatch& source,
                               const DecodingOptions& options) {
  return write_word_by_word("greedy", model, source, options, [&](const Tensor& logits, const auto&) {
    const TopClasses best = top_log_softmax(logits, 1, options.suppressed);
    std::vector<ChosenWord> chosen;
    for (std::size_t row = 0; row < best.ids.size(); ++row)
      chosen.push_back({best.ids[row], static_cast<double>(best.log_probabilities[row])});
    return chosen;
  });
}

}  // namespace gradual
