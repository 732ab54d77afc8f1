// The simple layers: Linear, Embedding, LayerNorm, Dropout and the feed-forward network.
#pragma once

#include <gradual/autograd/operations.hpp>
#include <gradual/core/names.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/module.hpp>

namespace gradual {

/// y = x·Wᵀ + b: x [..., in] to [..., out].
class Linear {
 public:
  enum class Bias { yes, no };

  Linear(Index in, Index out, Random random, Bias with_bias = Bias::yes);
  void visit(Visitor& visitor);
  Var operator()(const Var& x) const { return linear(x, weight, bias); }

  Var weight;  // [out, in]
  Var bias;    // [out]
};

/// Rows of a table by number: ids [...] to [..., D]. The entries start normal with deviation 1/√D.
class Embedding {
 public:
  Embedding(Index entries, Index width, Random random);
  void visit(Visitor& visitor) { visitor("weight", weight); }
  Var operator()(const Indices& ids) const { return embedding(ids, weight); }

  Var weight;  // [V, D]
};

/// y = (x - mean) / √(variance + ε) ⊙ gain + bias along the last axis (Ba, Kiros and Hinton 2016).
class LayerNorm {
 public:
  explicit LayerNorm(Index width, Real epsilon = Real(1e-5));
  void visit(Visitor& visitor);
  Var operator()(const Var& x) const { return layer_norm(x, gain, bias, epsilon_); }

  Var gain, bias;  // [D]

 private:
  Real epsilon_;
};

/// In training, zeroes each element with probability p and scales the others by 1/(1 - p) (Srivastava et al.
/// 2014).
class Dropout {
 public:
  /// Throws std::invalid_argument unless p lies in [0, 1).
  Dropout(double p, Random random);
  void visit(Visitor& visitor) { visitor("mode", mode_); }
  Var operator()(const Var& x) const { return dropout(x, next_mask()); }
  /// The mask of the next use; keeps everything outside training.
  DropoutMask next_mask() const;

 private:
  double p_;
  mutable Random random_;
  Mode mode_;
};

enum class Activation { relu, gelu };
inline const Names<Activation>& activations() {
  static const Names<Activation> names("feed-forward: the activation",
                                       {{"relu", Activation::relu}, {"gelu", Activation::gelu}});
  return names;
}

/// W₂·activation(W₁·x + b₁) + b₂, with dropout after the activation (Vaswani et al. 2017, eq. 2).
class FeedForward {
 public:
  FeedForward(Index width, Index inner_width, Activation activation, double dropout, Random random);
  void visit(Visitor& visitor);
  Var operator()(const Var& x) const;

  Linear inner, outer;

 private:
  Activation activation_;
  Dropout dropout_;
};

}  // namespace gradual
