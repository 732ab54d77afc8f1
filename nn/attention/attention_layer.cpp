#include <gradual/nn/attention/attention_layer.hpp>

#include <gradual/nn/attention/multi_head.hpp>

namespace gradual {

Var AttentionLayer::next(const Var& x, KeyValueCache& cache) const {
  const NoGrad no_grad;
  cache.append(x.value());
  const Var seen = cache.gathered();  // [B, t, D]
  AttentionMask causal;
  causal.causal = true;
  const Var all = (*this)(seen, causal);
  return slice(all, 1, all.dim(1) - 1, all.dim(1));
}

KeyValueCache AttentionLayer::remember(const Var& memory) const {
  KeyValueCache cache;
  cache.append(memory.value());
  return cache;
}

Var AttentionLayer::attend(const Var& x, const KeyValueCache& memory, const Indices& lengths) const {
  const NoGrad no_grad;
  AttentionMask mask;
  mask.valid_lengths = lengths;
  return (*this)(x, memory.gathered(), mask);
}

Registry<MakeAttentionLayer>& attention_layers() {
  static Registry<MakeAttentionLayer> all(
      "attention layer: the name", "attention_layers().add",
      {{"multi_head", [](const AttentionLayerSettings& settings, Random random) {
          return MultiHeadAttention(settings, random);
        }}});
  return all;
}

Part<AttentionLayer> make_attention_layer(const std::string& name, const AttentionLayerSettings& settings,
                                          Random random) {
  return attention_layers().at(name)(settings, random).named(name);
}

}  // namespace gradual
