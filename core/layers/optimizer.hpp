// The passes over parameters and gradients that an optimizer makes. The plain version is
// reference::adam_step.
#pragma once

#include <vector>

#include <gradual/core/tensor.hpp>

namespace gradual {

/// Σ x² over all tensors, summed in double and in a fixed order; undefined ones count as 0.
double sum_of_squares(const std::vector<Tensor>& tensors);

/// The numbers of one parameter that a step of Adam reads and writes.
struct AdamParameter {
  const Real* gradient;  // ∂L/∂p
  Real *value, *m, *v;   // p, and the means of its gradient and of the square of it
  Index size;            // how many numbers these have
  Real decay;  // learning rate · λ: the decoupled weight decay of AdamW (Loshchilov and Hutter 2019)
};

/// One step of Adam (Kingma and Ba 2015, algorithm 1), with g = scale·gradient:
///   m ← β₁m + (1 - β₁)g,  v ← β₂v + (1 - β₂)g²,
///   p ← p·(1 - decay) - rate·(m / (1 - β₁ᵗ)) / (√(v / (1 - β₂ᵗ)) + ε)
struct AdamStep {
  Real beta1, beta2, epsilon;     // β₁, β₂ and ε
  Real rate;                      // the learning rate
  Real correction1, correction2;  // 1 - β₁ᵗ, 1 - β₂ᵗ
  Real scale = 1;                 // what clipping multiplies the gradient by
};
void adam_step(const AdamStep& step, const std::vector<AdamParameter>& parameters);

}  // namespace gradual
