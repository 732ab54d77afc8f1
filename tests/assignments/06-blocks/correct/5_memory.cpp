// Self-attention as attention of a sentence to itself, said twice.
#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

Var EncoderLayer::operator()(const Var& x, const AttentionMask& mask) const {
  const std::function<Var(const Var&)> attend = [this, &mask](const Var& y) {
    return self_attention(y, y, mask);
  };
  Var y = around_attention(x, attend);
  y = around_feed_forward(y, feed_forward);
  return y;
}

}  // namespace gradual
