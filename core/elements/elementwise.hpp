// Arithmetic and functions of tensors, element by element, with broadcasting.
#pragma once

#include <gradual/core/tensor.hpp>

namespace gradual {

/// a ∘ b with broadcasting (shapes are aligned at the last axis; sizes are equal or 1); throws
/// std::invalid_argument with both shapes when they do not fit.
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, Real factor);
Tensor operator-(const Tensor& a);

/// sum ← sum + term, for equal shapes.
void add_in_place(Tensor& sum, const Tensor& term);
/// x ← x·factor.
void scale_in_place(Tensor& x, Real factor);

Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor pow(const Tensor& x, Real exponent);
Tensor tanh(const Tensor& x);
/// 1 / (1 + e⁻ˣ)
Tensor sigmoid(const Tensor& x);
/// max(x, 0)
Tensor relu(const Tensor& x);
/// x where x > 0, else slope·x.
Tensor leaky_relu(const Tensor& x, Real slope);
/// 1 where x > 0, else slope.
Tensor leaky_relu_derivative(const Tensor& x, Real slope);
/// x where x > 0, else eˣ - 1.
Tensor elu(const Tensor& x);
/// The derivative of elu by its value y: 1 where y > 0, else y + 1.
Tensor elu_derivative(const Tensor& y);
/// x·Φ(x) with the normal distribution function Φ(x) = (1 + erf(x/√2)) / 2 (Hendrycks and Gimpel 2016).
Tensor gelu(const Tensor& x);
/// Φ(x) + x·φ(x), the derivative of gelu.
Tensor gelu_derivative(const Tensor& x);
/// 1 where x > 0, else 0: the derivative of relu.
Tensor is_positive(const Tensor& x);
/// 1 where a = b, else 0, with broadcasting.
Tensor is_equal(const Tensor& a, const Tensor& b);
/// a where the condition is not 0, else b; equal shapes.
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);

}  // namespace gradual
