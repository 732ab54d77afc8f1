// The three steps in a list.
#include <utility>
#include <vector>

#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

Var DecoderLayer::operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const {
  AttentionMask causal;
  causal.causal = true;
  const std::vector<std::pair<const Residual*, std::function<Var(const Var&)>>> steps = {
      {&around_self, [&](const Var& z) { return self_attention(z, causal); }},
      {&around_cross, [&](const Var& z) { return cross_attention(z, memory, memory_mask); }},
      {&around_feed_forward, [&](const Var& z) { return feed_forward(z); }}};
  Var y = x;
  for (const auto& [residual, part] : steps) y = (*residual)(y, part);
  return y;
}

}  // namespace gradual
