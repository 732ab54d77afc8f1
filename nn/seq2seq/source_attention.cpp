#include <gradual/nn/seq2seq/source_attention.hpp>

#include <algorithm>
#include <optional>

#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/nn/attention/recorder.hpp>
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
  const NoGrad no_grad;
  const EvaluationScope evaluation;
  const auto last = std::find_if(pair.target.rbegin(), pair.target.rend(), is_meant);
  const auto count = static_cast<std::size_t>(pair.target.rend() - last);
  const auto state = model.start(make_source_batch({pair.source}));
  std::int32_t before = Vocabulary::bos;
  for (std::size_t t = 0; t < count; before = pair.target[t++]) {
    std::optional<AttentionRecorder> recorder;
    if (is_meant(pair.target[t])) recorder.emplace();
    model.next({Shape{1}, {before}}, *state);
    if (!recorder) continue;
    const std::vector<Tensor> layers = recorder->to_source();
    if (layers.empty()) return;
    const Tensor& weights = layers.back();  // [1, H, t, S] where all words so far are computed again
    look(t, sum(slice(weights, 2, weights.dim(2) - 1, weights.dim(2)), {0, 1, 2}));
  }
}

}  // namespace gradual
