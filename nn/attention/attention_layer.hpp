// What a layer of a transformer asks of its attention, and choosing one by its name.
#pragma once

#include <functional>
#include <string>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/attention/cache.hpp>
#include <gradual/nn/part.hpp>

namespace gradual {

/// Attention as a layer uses it, with its projections: of a sentence to itself, or of a decoder to its
/// source.
///
/// One function is enough. The others, which a model needs to write word by word, remember all that was seen
/// and compute it again with each word; an attention of one's own may do better.
class AttentionLayer {
 public:
  virtual ~AttentionLayer() = default;
  virtual void visit(Visitor& visitor) = 0;

  // ---- Attend

  /// x [B, T, D] attends to memory [B, S, D].
  virtual Var operator()(const Var& x, const Var& memory, const AttentionMask& mask = {}) const = 0;
  /// x [B, T, D] attends to itself.
  virtual Var operator()(const Var& x, const AttentionMask& mask = {}) const { return (*this)(x, x, mask); }

  // ---- Word by word, without gradients

  /// One more word x [B, 1, D] attends to itself and all before it: for a model that writes and is not in
  /// training.
  virtual Var next(const Var& x, KeyValueCache& cache) const;
  /// What attend() needs of a memory [B, S, D].
  virtual KeyValueCache remember(const Var& memory) const;
  /// One word x [B, 1, D] attends to a remembered memory, of which each row has lengths[r] words (empty:
  /// all).
  virtual Var attend(const Var& x, const KeyValueCache& memory, const Indices& lengths = {}) const;
};

/// What an attention layer is made for.
struct AttentionLayerSettings {
  Index width, heads = 1;          ///< of what comes in and goes out; how many heads share it
  double dropout = 0;              ///< of the weights
  std::string name = "attention";  ///< under which its weights are recorded
  std::string positions = "none";  ///< of self-attention: see position_kinds()
  Index window = 0;                ///< of self-attention: how many places to either side a query sees; 0: all
  std::string score = "scaled_dot";  ///< see score_kinds()
  Index max_length = 256;            ///< the most keys of scores that know only so many
  Index key_value_heads = 0;         ///< heads of keys and values, which several query heads share; 0: all
};
/// Makes an attention layer with new parameters.
using MakeAttentionLayer =
    std::function<Part<AttentionLayer>(const AttentionLayerSettings& settings, Random random)>;
/// The attention layers by their names: multi_head, and those that a program adds.
Registry<MakeAttentionLayer>& attention_layers();
/// Throws std::invalid_argument for a name that is not known.
Part<AttentionLayer> make_attention_layer(const std::string& name, const AttentionLayerSettings& settings,
                                          Random random);

}  // namespace gradual
