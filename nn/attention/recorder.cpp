#include <gradual/nn/attention/recorder.hpp>

#include <utility>

namespace gradual {
namespace {
thread_local AttentionRecorder* at_work = nullptr;
}  // namespace

AttentionRecorder::AttentionRecorder() : before_(at_work) { at_work = this; }
AttentionRecorder::~AttentionRecorder() { at_work = before_; }
AttentionRecorder* AttentionRecorder::current() { return at_work; }

void AttentionRecorder::add(const std::string& layer, Tensor weights) {
  recorded_.push_back({layer, std::move(weights)});
}

}  // namespace gradual
