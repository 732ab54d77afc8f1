// The passes over parameters and gradients that an optimizer makes.
#pragma once

#include <vector>

#include <gradual/core/tensor.hpp>

namespace gradual {

/// Σ x², summed in double and in a fixed order.
double sum_of_squares(const Tensor& x);

/// One step of Adam for one parameter (Kingma and Ba 2015, algorithm 1), with g = scale·gradient:
///   m ← β₁m + (1 - β₁)g,  v ← β₂v + (1 - β₂)g²,
///   p ← p·(1 - decay) - rate·(m / (1 - β₁ᵗ)) / (√(v / (1 - β₂ᵗ)) + ε)
/// `decay` is the decoupled weight decay of AdamW, learning rate times λ (Loshchilov and Hutter 2019).
struct AdamStep {
  Real beta1, beta2, epsilon;
  Real rate;                      // the learning rate
  Real correction1, correction2;  // 1 - β₁ᵗ, 1 - β₂ᵗ
  Real decay = 0;                 // learning rate · λ
  Real scale = 1;                 // what clipping multiplies the gradient by
};
void adam_step(const AdamStep& step, const Tensor& gradient, Real* parameter, Tensor& m, Tensor& v);

}  // namespace gradual
