#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

Var EncoderLayer::operator()(const Var& x, const AttentionMask& mask) const {
  return around_feed_forward(around_attention(x, [&](const Var& y) { return self_attention(y, mask); }),
                             [&](const Var& y) { return feed_forward(y); });
}

}  // namespace gradual
