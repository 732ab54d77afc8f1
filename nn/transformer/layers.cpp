#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

namespace {

// The settings of self-attention.
AttentionLayerSettings self_settings(const LayerConfig& c, const std::string& name) {
  AttentionLayerSettings settings;
  settings.width = c.width;
  settings.heads = c.heads;
  settings.key_value_heads = c.key_value_heads;
  settings.dropout = c.attention_dropout;
  settings.name = name + ".self_attention";
  settings.positions = c.positions;
  settings.window = c.window;
  settings.score = c.attention;
  settings.max_length = c.max_length;
  return settings;
}

// Between two sentences there are no distances.
AttentionLayerSettings cross_settings(const LayerConfig& c, const std::string& name) {
  AttentionLayerSettings settings = self_settings(c, name);
  settings.name = name + ".cross_attention";
  settings.positions = "none";
  settings.window = 0;
  return settings;
}

FeedForwardSizes feed_forward_sizes(const LayerConfig& c) {
  return {c.width, c.feed_forward, c.dropped_in_feed_forward()};
}

}  // namespace

void Residual::visit(Visitor& visitor) {
  visitor("norm", norm);
  visitor("dropout", dropout_);
}

Var Residual::operator()(const Var& x, const std::function<Var(const Var&)>& part) const {
  // Both draw from one stream: the mask first, with any compiler.
  const DropoutMask mask = dropout_.next_mask();
  if (place_ == NormPlace::before) return add_dropped(x, part(norm(x)), mask);
  return norm(add_dropped(x, part(x), mask));
}

Var EncoderBlock::next(const Var& x, KeyValueCache& cache) const {
  const NoGrad no_grad;
  cache.append(x.value());
  AttentionMask causal;
  causal.causal = true;
  const Var all = (*this)(cache.gathered(), causal);  // [B, t, D]
  return slice(all, 1, all.dim(1) - 1, all.dim(1));
}

EncoderLayer::EncoderLayer(const LayerConfig& c, Random random, const std::string& name)
    : self_attention(make_attention_layer(c.attention_layer, self_settings(c, name), random)),
      feed_forward(make_feed_forward(c.activation, feed_forward_sizes(c), random)),
      around_attention(c, random),
      around_feed_forward(c, random) {}

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
  const Var attended = around_attention(x, [&](const Var& y) { return self_attention->next(y, cache); });
  return around_feed_forward(attended, feed_forward);
}

DecoderLayerState DecoderBlock::start(const Var& memory) const {
  DecoderLayerState state;
  state.source.append(memory.value());
  return state;
}

Var DecoderBlock::next(const Var& x, DecoderLayerState& state, const Indices& source_lengths) const {
  const NoGrad no_grad;
  state.own.append(x.value());
  AttentionMask mask;
  mask.valid_lengths = source_lengths;
  const Var all = (*this)(state.own.gathered(), state.source.gathered(), mask);  // [B, t, D]
  return slice(all, 1, all.dim(1) - 1, all.dim(1));
}

DecoderLayer::DecoderLayer(const LayerConfig& c, Random random, const std::string& name)
    : self_attention(make_attention_layer(c.attention_layer, self_settings(c, name), random)),
      cross_attention(make_attention_layer(c.attention_layer, cross_settings(c, name), random)),
      feed_forward(make_feed_forward(c.activation, feed_forward_sizes(c), random)),
      around_self(c, random),
      around_cross(c, random),
      around_feed_forward(c, random) {}

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
  Var y = around_self(x, [&](const Var& z) { return self_attention->next(z, state.own); });
  y = around_cross(y, [&](const Var& z) { return cross_attention->attend(z, state.source, source_lengths); });
  return around_feed_forward(y, feed_forward);
}

DecoderLayerState DecoderLayer::start(const Var& memory) const {
  return {{}, cross_attention->remember(memory)};
}

Registry<MakeEncoderLayer>& encoder_layers() {
  static Registry<MakeEncoderLayer> all(
      "encoder layer: the kind", "encoder_layers().add",
      {{"standard", [](const LayerConfig& config, Random random, const std::string& name) {
          return EncoderLayer(config, random, name);
        }}});
  return all;
}

Registry<MakeDecoderLayer>& decoder_layers() {
  static Registry<MakeDecoderLayer> all(
      "decoder layer: the kind", "decoder_layers().add",
      {{"standard", [](const LayerConfig& config, Random random, const std::string& name) {
          return DecoderLayer(config, random, name);
        }}});
  return all;
}

Part<EncoderBlock> make_encoder_layer(const std::string& kind, const LayerConfig& config, Random random,
                                      const std::string& name) {
  return encoder_layers().at(kind)(config, random, name).named(kind);
}

Part<DecoderBlock> make_decoder_layer(const std::string& kind, const LayerConfig& config, Random random,
                                      const std::string& name) {
  return decoder_layers().at(kind)(config, random, name).named(kind);
}

}  // namespace gradual
