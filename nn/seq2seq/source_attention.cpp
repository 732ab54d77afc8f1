#include <gradual/nn/seq2seq/source_attention.hpp>

#include <string>

#include <gradual/nn/attention/recorder.hpp>

namespace gradual {

std::vector<Tensor> attention_to_source(const TranslationModel& model, const EncodedPair& pair) {
  const NoGrad no_grad;
  AttentionRecorder recorder;
  model.loss(make_batch({pair}, {0}), {});
  std::vector<Tensor> weights;
  for (const RecordedAttention& layer : recorder.recorded())
    if (layer.layer.find("cross_attention") != std::string::npos) weights.push_back(layer.weights);
  return weights;
}

}  // namespace gradual
