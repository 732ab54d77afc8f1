#include <gradual/nn/attention/recorder.hpp>

#include <utility>

namespace gradual {
namespace {
thread_local AttentionRecorder* at_work = nullptr;
}  // namespace

AttentionRecorder::AttentionRecorder() : before_(at_work) { at_work = this; }
AttentionRecorder::~AttentionRecorder() { at_work = before_; }
AttentionRecorder* AttentionRecorder::current() { return at_work; }

void AttentionRecorder::add(const std::string& layer, Tensor weights, AttentionTo to) {
  recorded_.push_back({layer, std::move(weights), to});
}

std::vector<Tensor> AttentionRecorder::to_source() const {
  std::vector<Tensor> weights;
  for (const RecordedAttention& layer : recorded_)
    if (layer.to == AttentionTo::source) weights.push_back(layer.weights);
  return weights;
}

}  // namespace gradual
