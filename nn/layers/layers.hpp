// The simple layers: Linear, Embedding and Dropout, and the interface of those that are chosen at run time.
#pragma once

#include <gradual/autograd/operations.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/module.hpp>

namespace gradual {

/// y = x·Wᵀ + b for x [..., in]: y [..., out].
class Linear {
 public:
  /// Whether b is there.
  enum class Bias { yes, no };

  /// The weight as glorot_uniform draws it, the bias 0.
  Linear(Index in, Index out, Random random, Bias with_bias = Bias::yes);
  void visit(Visitor& visitor);
  /// By packed copies of the weight where these are in use: see packed_weights.hpp.
  Var operator()(const Var& x) const;

  Var weight;  ///< [out, in]
  Var bias;    ///< [out], not defined without one
};

/// Rows of a table by number: ids [...] to [..., D]. The entries start normal with deviation 1/√D.
class Embedding {
 public:
  /// So many rows of `width` numbers.
  Embedding(Index entries, Index width, Random random);
  void visit(Visitor& visitor) { visitor("weight", weight); }
  /// The rows [..., D] of ids [...].
  Var operator()(const Indices& ids) const { return embedding(ids, weight); }

  Var weight;  ///< [V, D]
};

/// In training, zeroes each element with probability p and scales the others by 1/(1 - p) (Srivastava et al.
/// 2014).
class Dropout {
 public:
  /// Throws std::invalid_argument unless p lies in [0, 1).
  Dropout(double p, Random random);
  void visit(Visitor& visitor) { visitor("mode", mode_); }
  /// What is left of x, of the same shape.
  Var operator()(const Var& x) const { return dropout(x, next_mask()); }
  /// The mask of the next use; keeps everything outside training.
  DropoutMask next_mask() const;

 private:
  double p_;
  mutable Random random_;
  Mode mode_;
};

/// In training, zeroes whole vectors, those of words, each with probability p; the others stay as they are:
///
///     y_t = x_t·m_t,   m_t = 0 with probability p and 1 otherwise,   x, y [..., D]
///
/// A model that now and then has to do without a word learns to ask the others (Sennrich, Haddow and Birch
/// 2016; Gal and Ghahramani 2016, who drop a word wherever it stands in a sentence, and scale the others). A
/// word that is kept is read as it is in use, as in token cutoff (Shen et al. 2020): nothing is scaled.
class WordDropout {
 public:
  /// Throws std::invalid_argument unless p lies in [0, 1).
  WordDropout(double p, Random random);
  void visit(Visitor& visitor) { visitor("mode", mode_); }
  /// What is left of the words x [..., D].
  Var operator()(const Var& x) const;

 private:
  double p_;
  mutable Random random_;
  Mode mode_;
};

/// What becomes of each vector by itself, x [..., D] to [..., D]: the norms and feed-forward networks that a
/// transformer's layers are made of, and those of a program.
class Layer {
 public:
  virtual ~Layer() = default;
  virtual void visit(Visitor& visitor) = 0;
  /// What x [..., D] becomes, of the same shape.
  virtual Var operator()(const Var& x) const = 0;
};

}  // namespace gradual
