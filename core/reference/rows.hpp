// Softmax, norms, losses and the best classes, plainly.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/reference/array.hpp>

namespace gradual::reference {

/// y_i = e^(x_i) / Σ_j e^(x_j) along the last axis, and its dx = y ⊙ (dy - Σ_j dy_j·y_j).
Array softmax(const Array& x);
Array softmax_backward(const Array& y, const Array& dy);

/// Softmax of the first `valid` numbers of each row of x [B, …, S], 0 for the others; valid is [B] or [B, T].
Array masked_softmax(const Array& x, const Indices& valid);

/// y_i = x_i - log Σ_j e^(x_j), and its dx = dy - e^y·Σ_j dy_j.
Array log_softmax(const Array& x);
Array log_softmax_backward(const Array& y, const Array& dy);

/// The derivatives of a loss by the input, the gain and the bias of a norm.
struct NormGradients {
  Array x, gain, bias;
};
/// y = (x - mean) / √(variance + ε) ⊙ gain + bias along the last axis of x [N, D].
Array layer_norm(const Array& x, const Array& gain, const Array& bias, double epsilon);
NormGradients layer_norm_backward(const Array& x, const Array& gain, const Array& dy, double epsilon);

/// y = x / √(mean(x²) + ε) ⊙ gain.
Array rms_norm(const Array& x, const Array& gain, double epsilon);
NormGradients rms_norm_backward(const Array& x, const Array& gain, const Array& dy, double epsilon);

/// The value of a loss, and its derivatives.
struct Loss {
  double value;
  Array inputs, weight;  // gradients
};
/// The mean of -Σ_j q_j·log softmax(logits)_j over the targets [N] that are not ignored, for logits [N, V].
Loss cross_entropy(const Array& logits, const Indices& targets, std::int32_t ignored, double smoothing);
/// The same for logits = x·Wᵀ, with the gradients of x [N, D] and W [V, D].
Loss linear_cross_entropy(const Array& x, const Array& weight, const Indices& targets, std::int32_t ignored,
                          double smoothing);

/// The classes of each row of logits [N, V] from the likeliest down, the lower one first of equal ones.
std::vector<std::vector<std::int32_t>> ranking(const Array& logits);

}  // namespace gradual::reference
