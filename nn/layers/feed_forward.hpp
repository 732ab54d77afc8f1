// The feed-forward networks of a transformer, and choosing one by its name.
#pragma once

#include <functional>
#include <string>

#include <gradual/nn/layers/layers.hpp>
#include <gradual/nn/part.hpp>

namespace gradual {

/// max(0, z); z·Φ(z); z·½(1 + tanh(√(2/π)(z + 0.044715·z³))), which is nearly that (Hendrycks and Gimpel
/// 2016, §2); and z·σ(z) (Elfwing, Uchibe and Doya 2018, eq. 6).
enum class Activation { relu, gelu, gelu_tanh, silu };

/// W₂·activation(W₁·x + b₁) + b₂, with dropout after the activation (Vaswani et al. 2017, eq. 2).
class FeedForward : public Layer {
 public:
  /// From `width` numbers to `inner_width`, and back.
  FeedForward(Index width, Index inner_width, Activation activation, double dropout, Random random);
  void visit(Visitor& visitor) override;
  Var operator()(const Var& x) const override;

  Linear inner, outer;  // W₁ and b₁, W₂ and b₂

 private:
  Activation activation_;
  Dropout dropout_;
};

/// W₂·(silu(W₁·x) ⊙ V·x) with silu(z) = z·σ(z) and no biases, dropout before W₂ (Shazeer 2020, eq. 6).
class SwiGlu : public Layer {
 public:
  /// From `width` numbers to `inner_width`, and back.
  SwiGlu(Index width, Index inner_width, double dropout, Random random);
  void visit(Visitor& visitor) override;
  Var operator()(const Var& x) const override;

  Linear gate, inner, outer;  // W₁, V and W₂

 private:
  Dropout dropout_;
};

/// What a feed-forward network is made for.
struct FeedForwardSizes {
  Index width, inner_width;  // of what comes in and goes out, and between the two layers
  double dropout = 0;        // the share of inner numbers that are dropped in training
};
/// Makes a feed-forward network with new parameters.
using MakeFeedForward = std::function<Part<Layer>(const FeedForwardSizes& sizes, Random random)>;
/// The networks by their names: relu, gelu, gelu_tanh, silu (a FeedForward each), swiglu, and those that a
/// program adds.
Registry<MakeFeedForward>& feed_forwards();
/// Throws std::invalid_argument for a name that is not known.
Part<Layer> make_feed_forward(const std::string& name, const FeedForwardSizes& sizes, Random random);

}  // namespace gradual
