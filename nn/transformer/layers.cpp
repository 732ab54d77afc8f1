#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

void Residual::visit(Visitor& visitor) {
  visitor("norm", norm);
  visitor("dropout", dropout_);
}

EncoderLayer::EncoderLayer(const TransformerConfig& c, Random random, const std::string& name)
    : self_attention(c.width, c.heads, c.attention_dropout, random, name + ".self_attention",
                     {c.positions, c.window}, {c.attention, c.max_length}),
      feed_forward(c.width, c.feed_forward, c.activation, c.dropout, random),
      around_attention(c.width, c.dropout, c.norm, random),
      around_feed_forward(c.width, c.dropout, c.norm, random) {}

void EncoderLayer::visit(Visitor& visitor) {
  visitor("self_attention", self_attention);
  visitor("feed_forward", feed_forward);
  visitor("around_attention", around_attention);
  visitor("around_feed_forward", around_feed_forward);
}

Var EncoderLayer::operator()(const Var& x, const AttentionMask& mask) const {
  const Var attended = around_attention(x, [&](const Var& y) { return self_attention(y, mask); });
  return around_feed_forward(attended, feed_forward);
}

Var EncoderLayer::next(const Var& x, KeyValueCache& cache) const {
  const Var attended = around_attention(x, [&](const Var& y) { return self_attention.next(y, cache); });
  return around_feed_forward(attended, feed_forward);
}

DecoderLayer::DecoderLayer(const TransformerConfig& c, Random random, const std::string& name)
    : self_attention(c.width, c.heads, c.attention_dropout, random, name + ".self_attention",
                     {c.positions, c.window}, {c.attention, c.max_length}),
      cross_attention(c.width, c.heads, c.attention_dropout, random, name + ".cross_attention", {},
                      {c.attention, c.max_length}),
      feed_forward(c.width, c.feed_forward, c.activation, c.dropout, random),
      around_self(c.width, c.dropout, c.norm, random),
      around_cross(c.width, c.dropout, c.norm, random),
      around_feed_forward(c.width, c.dropout, c.norm, random) {}

void DecoderLayer::visit(Visitor& visitor) {
  visitor("self_attention", self_attention);
  visitor("cross_attention", cross_attention);
  visitor("feed_forward", feed_forward);
  visitor("around_self", around_self);
  visitor("around_cross", around_cross);
  visitor("around_feed_forward", around_feed_forward);
}

Var DecoderLayer::operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const {
  AttentionMask causal;
  causal.causal = true;
  Var y = around_self(x, [&](const Var& z) { return self_attention(z, causal); });
  y = around_cross(y, [&](const Var& z) { return cross_attention(z, memory, memory_mask); });
  return around_feed_forward(y, feed_forward);
}

Var DecoderLayer::next(const Var& x, DecoderLayerState& state, const Indices& source_lengths) const {
  Var y = around_self(x, [&](const Var& z) { return self_attention.next(z, state.own); });
  y = around_cross(y, [&](const Var& z) { return cross_attention.attend(z, state.source, source_lengths); });
  return around_feed_forward(y, feed_forward);
}

}  // namespace gradual
