// The norms of a transformer, and choosing one by its name.
#pragma once

#include <functional>
#include <string>

#include <gradual/nn/layers/layers.hpp>
#include <gradual/nn/part.hpp>

namespace gradual {

/// y = (x - mean) / √(variance + ε) ⊙ gain + bias along the last axis (Ba, Kiros and Hinton 2016).
class LayerNorm : public Layer {
 public:
  /// Of rows of this width; gain 1 and bias 0 at first.
  explicit LayerNorm(Index width, Real epsilon = Real(1e-5));
  void visit(Visitor& visitor) override;
  Var operator()(const Var& x) const override { return layer_norm(x, gain, bias, epsilon_); }

  Var gain, bias;  // [D]

 private:
  Real epsilon_;
};

/// y = x / √(mean(x²) + ε) ⊙ gain along the last axis (Zhang and Sennrich 2019, eq. 4).
class RmsNorm : public Layer {
 public:
  /// Of rows of this width; gain 1 at first.
  explicit RmsNorm(Index width, Real epsilon = Real(1e-5));
  void visit(Visitor& visitor) override { visitor("gain", gain); }
  Var operator()(const Var& x) const override { return rms_norm(x, gain, epsilon_); }

  Var gain;  // [D]

 private:
  Real epsilon_;
};

/// Makes a norm of vectors of this width.
using MakeNorm = std::function<Part<Layer>(Index width, Random random)>;
/// The norms by their names: layer_norm, rms_norm, and those that a program adds.
Registry<MakeNorm>& norms();
/// A norm by its name, for vectors of this width. Throws std::invalid_argument for a name that is not known.
Part<Layer> make_norm(const std::string& name, Index width, Random random);

}  // namespace gradual
