#include "mixing.hpp"

#include <gradual/nn/attention/attention.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/multi_head_naive.hpp>
#include <gradual/nn/attention/recorder.hpp>

using namespace gradual;

namespace {

// The values' mean, with the projections that attention has: all that is missing are the scores.
class Mean : public Mixing {
 public:
  Mean(Index width, Random random, std::string layer)
      : values_(width, width, random), output_(width, width, random), layer_(std::move(layer)) {}
  void visit(Visitor& visitor) override {
    visitor("values", values_);
    visitor("output", output_);
  }
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    const Index batch = x.dim(0), T = x.dim(1), S = memory.dim(1);
    const Var weights = masked_softmax(Var(Tensor::zeros({batch, T, S})), mask);
    if (AttentionRecorder* recorder = AttentionRecorder::current())
      recorder->add(layer_, weights.value().with_shape({batch, 1, T, S}));
    return output_(batch_dot(weights, values_(memory)));
  }

 private:
  Linear values_, output_;
  std::string layer_;
};

// One head with any score.
class Scored : public Mixing {
 public:
  Scored(const std::string& score, Index width, Random random, const std::string& layer)
      : attention_({width, 1, width, width}, score, 0, random, layer) {}
  void visit(Visitor& visitor) override { attention_.visit(visitor); }
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    return attention_(x, memory, mask);
  }

 private:
  MultiHeadNaive attention_;
};

// Many heads, which may see no farther than a window.
class MultiHead : public Mixing {
 public:
  MultiHead(const MixingSizes& sizes, Index window, Random random, const std::string& layer)
      : attention_(sizes.width, sizes.heads, 0, random, layer), window_(window) {}
  void visit(Visitor& visitor) override { attention_.visit(visitor); }
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask) const override {
    AttentionMask near = mask;
    near.window = window_;
    return attention_(x, memory, near);
  }

 private:
  MultiHeadAttention attention_;
  Index window_;
};

}  // namespace

std::unique_ptr<Mixing> make_mixing(const std::string& name, const MixingSizes& sizes, Looking looking,
                                    Random random, const std::string& layer) {
  if (name == "mean") return std::make_unique<Mean>(sizes.width, random, layer);
  if (name == "multi_head") return std::make_unique<MultiHead>(sizes, 0, random, layer);
  if (name == "window")
    return std::make_unique<MultiHead>(sizes, looking == Looking::at_itself ? sizes.window : 0, random,
                                       layer);
  return std::make_unique<Scored>(name, sizes.width, random, layer);
}
