// Functions of each element. functions.cpp is a table of them, each with its slope.
//
// Each takes a Tensor and gives a Tensor, or takes a Var and gives a Var that knows the slope. What is not
// defined throws std::invalid_argument with the function's name; NaN stays NaN.
#pragma once

#include <gradual/core/elements/operation.hpp>

namespace gradual {

/// |x|; its slope at 0 is 0.
Operation abs_operation(const Tensor& x);
template <class X>
Operand<X> abs(const X& x) {
  return apply(abs_operation, x);
}

/// eˣ
Operation exp_operation(const Tensor& x);
template <class X>
Operand<X> exp(const X& x) {
  return apply(exp_operation, x);
}

/// The natural logarithm.
Operation log_operation(const Tensor& x);
template <class X>
Operand<X> log(const X& x) {
  return apply(log_operation, x);
}

/// log(1 + x), exact near 0.
Operation log1p_operation(const Tensor& x);
template <class X>
Operand<X> log1p(const X& x) {
  return apply(log1p_operation, x);
}

/// √x
Operation sqrt_operation(const Tensor& x);
template <class X>
Operand<X> sqrt(const X& x) {
  return apply(sqrt_operation, x);
}

/// xᵖ; x⁰ is 1 for every x, and its slope 0.
Operation pow_operation(const Tensor& x, Real exponent);
template <class X>
Operand<X> pow(const X& x, Real exponent) {
  return apply(pow_operation, x, exponent);
}

/// The sine of an angle in radians.
Operation sin_operation(const Tensor& x);
template <class X>
Operand<X> sin(const X& x) {
  return apply(sin_operation, x);
}

/// The cosine of an angle in radians.
Operation cos_operation(const Tensor& x);
template <class X>
Operand<X> cos(const X& x) {
  return apply(cos_operation, x);
}

/// (eˣ - e⁻ˣ) / (eˣ + e⁻ˣ)
Operation tanh_operation(const Tensor& x);
template <class X>
Operand<X> tanh(const X& x) {
  return apply(tanh_operation, x);
}

/// σ(x) = 1 / (1 + e⁻ˣ)
Operation sigmoid_operation(const Tensor& x);
template <class X>
Operand<X> sigmoid(const X& x) {
  return apply(sigmoid_operation, x);
}

/// log(1 + eˣ), a smooth relu (Dugas et al. 2001).
Operation softplus_operation(const Tensor& x);
template <class X>
Operand<X> softplus(const X& x) {
  return apply(softplus_operation, x);
}

/// max(x, 0); its slope at 0 is 0.
Operation relu_operation(const Tensor& x);
template <class X>
Operand<X> relu(const X& x) {
  return apply(relu_operation, x);
}

/// x where x > 0, else slope·x (Maas, Hannun and Ng 2013).
Operation leaky_relu_operation(const Tensor& x, Real slope);
template <class X>
Operand<X> leaky_relu(const X& x, Real slope) {
  return apply(leaky_relu_operation, x, slope);
}

/// x where x > 0, else eˣ - 1 (Clevert, Unterthiner and Hochreiter 2016).
Operation elu_operation(const Tensor& x);
template <class X>
Operand<X> elu(const X& x) {
  return apply(elu_operation, x);
}

/// x·Φ(x) with the normal distribution function Φ(x) = erfc(-x/√2) / 2 (Hendrycks and Gimpel 2016).
Operation gelu_operation(const Tensor& x);
template <class X>
Operand<X> gelu(const X& x) {
  return apply(gelu_operation, x);
}

/// x·σ(x) (Elfwing, Uchibe and Doya 2018).
Operation silu_operation(const Tensor& x);
template <class X>
Operand<X> silu(const X& x) {
  return apply(silu_operation, x);
}

/// x, but `low` below `low` and `high` above `high`; the slope is 1 from low to high, else 0. Throws
/// std::invalid_argument unless low <= high.
Operation clip_operation(const Tensor& x, Real low, Real high);
template <class X>
Operand<X> clip(const X& x, Real low, Real high) {
  return apply(clip_operation, x, low, high);
}

}  // namespace gradual
