// Layer norm and RMS norm: each row, the last axis of a tensor, brought to one size. The
// plain versions are in core/reference/rows.hpp.
#pragma once

#include <gradual/core/tensor.hpp>

namespace gradual {

/// What the backward pass needs again of each row.
struct NormStatistics {
  Tensor mean;               ///< [rows]; RMS norm has none
  Tensor inverse_deviation;  ///< [rows]: 1/√(variance + ε), or 1/√(mean square + ε)
};

/// y = (x - mean) / √(variance + ε) ⊙ gain + bias along the last axis (Ba, Kiros and Hinton 2016, eq. 4), for
/// numbers of any size whose deviation has an inverse, twice which is a number. Throws std::invalid_argument
/// unless gain and bias have the size of that axis and ε is 0 or more.
Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, Real epsilon,
                  NormStatistics& statistics);

/// y = x / √(mean(x²) + ε) ⊙ gain along the last axis (Zhang and Sennrich 2019, eq. 4), for numbers of any
/// size whose root of the mean square has an inverse, and throws as layer_norm does.
Tensor rms_norm(const Tensor& x, const Tensor& gain, Real epsilon, NormStatistics& statistics);

/// The derivatives of a loss by gain [D] and bias [D].
struct NormGradients {
  Tensor gain, bias;  ///< of the shape of a row
};
/// With x̂ = (x - mean)/deviation and g = dy ⊙ gain:
///   dx = (g - mean(g) - x̂·mean(g ⊙ x̂)) / deviation,  d gain = Σ dy ⊙ x̂,  d bias = Σ dy.
/// dx is added to `dx` when `accumulate` is set and written to it otherwise.
NormGradients layer_norm_backward(const Tensor& x, const Tensor& gain, const NormStatistics& statistics,
                                  const Tensor& dy, Tensor& dx, bool accumulate);
/// As layer_norm_backward(), with x̂ = x/deviation and without mean(g); returns d gain.
Tensor rms_norm_backward(const Tensor& x, const Tensor& gain, const NormStatistics& statistics,
                         const Tensor& dy, Tensor& dx, bool accumulate);

}  // namespace gradual
