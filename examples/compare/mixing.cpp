#include "mixing.hpp"

#include <gradual/nn/attention/attention.hpp>
#include <gradual/nn/attention/attention_layer.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/multi_head_naive.hpp>
#include <gradual/nn/attention/recorder.hpp>

using namespace gradual;

namespace {

// The values' mean, with the projections that attention has: all that is missing are the scores.
class Mean : public AttentionLayer {
 public:
  Mean(const AttentionLayerSettings& s, Random random)
      : values_(s.width, s.width, random), output_(s.width, s.width, random), name_(s.name) {}
  void visit(Visitor& visitor) override {
    visitor("values", values_);
    visitor("output", output_);
  }
  using AttentionLayer::operator();
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    const Index batch = x.dim(0), T = x.dim(1), S = memory.dim(1);
    const Var weights = masked_softmax(Var(Tensor::zeros({batch, T, S})), mask);
    if (AttentionRecorder* recorder = AttentionRecorder::current())
      recorder->add(name_, weights.value().with_shape({batch, 1, T, S}),
                    x.is_same_as(memory) ? AttentionTo::itself : AttentionTo::source);
    return output_(batch_dot(weights, values_(memory)));
  }

 private:
  Linear values_, output_;
  std::string name_;
};

// One head with any score.
class OneHead : public AttentionLayer {
 public:
  OneHead(const AttentionLayerSettings& s, Random random)
      : head_({s.width, 1, s.width, s.width}, s.score, s.dropout, random, s.name) {}
  void visit(Visitor& visitor) override { head_.visit(visitor); }
  using AttentionLayer::operator();
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    return head_(x, memory, mask);
  }

 private:
  MultiHeadNaive head_;
};

}  // namespace

void add_mixings() {
  attention_layers().add("mean", [](const AttentionLayerSettings& s, Random r) { return Mean(s, r); });
  attention_layers().add("one_head", [](const AttentionLayerSettings& s, Random r) { return OneHead(s, r); });
}
