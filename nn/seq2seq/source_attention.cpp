#include <gradual/nn/seq2seq/source_attention.hpp>

#include <algorithm>
#include <optional>

#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/text/vocabulary.hpp>

namespace gradual {

std::vector<Tensor> attention_to_source(const TranslationModel& model, const EncodedPair& pair) {
  const NoGrad no_grad;
  const EvaluationScope evaluation;
  AttentionRecorder recorder;
  model.loss(make_batch({pair}, {0}), {});
  return recorder.to_source();
}

void each_look_at_source(const TranslationModel& model, const EncodedPair& pair,
                         const std::function<bool(std::int32_t token)>& is_meant,
                         const std::function<void(std::size_t place, const Tensor& attention)>& look) {
  constexpr std::size_t short_enough = 128 * 128;  // for all weights of all layers at once, which is faster
  const auto last = std::find_if(pair.target.rbegin(), pair.target.rend(), is_meant);
  const auto count = static_cast<std::size_t>(pair.target.rend() - last);
  if (count == 0) return;
  const Index words = static_cast<Index>(pair.source.size()) + 1;  // and the end token
  const auto looks_at_words = [&](const Tensor& weights) { return weights.dim(-1) == words; };
  if (pair.source.size() * pair.target.size() <= short_enough) {
    const std::vector<Tensor> layers = attention_to_source(model, pair);
    if (layers.empty() || !looks_at_words(layers.back())) return;
    const Tensor attention = sum(layers.back(), {0, 1});  // [T, S]
    for (std::size_t t = 0; t < count; ++t) {
      const auto row = static_cast<Index>(t);
      if (is_meant(pair.target[t])) look(t, attention.rows(row, row + 1).reshaped({attention.dim(1)}));
    }
    return;
  }
  const NoGrad no_grad;
  const EvaluationScope evaluation;
  const auto state = model.start(make_source_batch({pair.source}));
  std::int32_t before = Vocabulary::bos;
  for (std::size_t t = 0; t < count; before = pair.target[t++]) {
    std::optional<AttentionRecorder> recorder;
    if (is_meant(pair.target[t])) recorder.emplace();
    model.next({Shape{1}, {before}}, *state);
    if (!recorder) continue;
    const std::vector<Tensor> layers = recorder->to_source();
    if (layers.empty() || !looks_at_words(layers.back())) return;
    const Tensor& weights = layers.back();  // [1, H, t, S] where all words so far are computed again
    look(t, sum(slice(weights, 2, weights.dim(2) - 1, weights.dim(2)), {0, 1, 2}));
  }
}

}  // namespace gradual
