#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

Var DecoderLayer::operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const {
  AttentionMask past;
  past.causal = true;
  const auto look_back = [&](const Var& words) { return self_attention(words, words, past); };
  const auto look_across = [&](const Var& words) { return cross_attention(words, memory, memory_mask); };
  const auto think = [&](const Var& words) { return feed_forward(words); };
  const Var written = around_self(x, look_back);
  const Var read = around_cross(written, look_across);
  return around_feed_forward(read, think);
}

}  // namespace gradual
