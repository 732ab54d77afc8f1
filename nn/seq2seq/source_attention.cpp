#include <gradual/nn/seq2seq/source_attention.hpp>

#include <gradual/nn/attention/recorder.hpp>

namespace gradual {

std::vector<Tensor> attention_to_source(const TranslationModel& model, const EncodedPair& pair) {
  const NoGrad no_grad;
  const EvaluationScope evaluation;
  AttentionRecorder recorder;
  model.loss(make_batch({pair}, {0}), {});
  return recorder.to_source();
}

}  // namespace gradual
