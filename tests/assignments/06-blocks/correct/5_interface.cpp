// Through the interfaces that the parts have.
#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

Var EncoderLayer::operator()(const Var& x, const AttentionMask& mask) const {
  const AttentionLayer& attention = *self_attention;
  const Layer& network = *feed_forward;
  const auto attended = around_attention(x, [&attention, mask](const Var& z) { return attention(z, mask); });
  return around_feed_forward(attended, [&network](const Var& z) { return network(z); });
}

}  // namespace gradual
