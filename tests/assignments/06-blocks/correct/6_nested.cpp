#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

Var DecoderLayer::operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const {
  const AttentionMask own{{}, true, 0};
  return around_feed_forward(
      around_cross(around_self(x, [&](const Var& y) { return self_attention(y, own); }),
                   [&](const Var& y) { return cross_attention(y, memory, memory_mask); }),
      feed_forward);
}

}  // namespace gradual
