#include <gradual/core/elements/functions.hpp>

#include <cmath>

#include <gradual/core/elements/loops.hpp>
#include <gradual/core/elements/vector_math.hpp>
#include <gradual/core/error.hpp>

// pointwise(name, x, f(x), f'(x)); pointwise_by_value(name, x, f(x), f' by the value y = f(x)).

namespace gradual {

Operation abs_operation(const Tensor& x) {
  return pointwise(
      "abs", x, [](Real v) { return std::abs(v); },
      [](Real v) { return v > 0 ? Real(1) : (v < 0 ? Real(-1) : v); });
}

Operation exp_operation(const Tensor& x) {
  return pointwise_by_value(
      "exp", x, [](Real v) { return vector_exp(v); }, [](Real y) { return y; });
}

Operation log_operation(const Tensor& x) {
  return pointwise(
      "log", x, [](Real v) { return std::log(v); }, [](Real v) { return 1 / v; });
}

Operation log1p_operation(const Tensor& x) {
  return pointwise(
      "log1p", x, [](Real v) { return std::log1p(v); }, [](Real v) { return 1 / (1 + v); });
}

Operation sqrt_operation(const Tensor& x) {
  return pointwise_by_value(
      "sqrt", x, [](Real v) { return std::sqrt(v); }, [](Real y) { return 1 / (2 * y); });
}

// The squares that lengths and variances are made of need no std::pow, nor do their slopes.
Operation pow_operation(const Tensor& x, Real p) {
  if (p == 0)
    return pointwise(
        "pow", x, [](Real) { return Real(1); }, [](Real) { return Real(0); });
  if (p == 1)
    return pointwise(
        "pow", x, [](Real v) { return v; }, [](Real) { return Real(1); });
  if (p == 2)
    return pointwise(
        "pow", x, [](Real v) { return v * v; }, [](Real v) { return 2 * v; });
  return pointwise(
      "pow", x, [p](Real v) { return std::pow(v, p); }, [p](Real v) { return p * std::pow(v, p - 1); });
}

Operation sin_operation(const Tensor& x) {
  return pointwise(
      "sin", x, [](Real v) { return std::sin(v); }, [](Real v) { return std::cos(v); });
}

Operation cos_operation(const Tensor& x) {
  return pointwise(
      "cos", x, [](Real v) { return std::cos(v); }, [](Real v) { return -std::sin(v); });
}

Operation tanh_operation(const Tensor& x) {
  return pointwise_by_value(
      "tanh", x, [](Real v) { return vector_tanh(v); }, [](Real y) { return 1 - y * y; });
}

Operation sigmoid_operation(const Tensor& x) {
  return pointwise_by_value("sigmoid", x, logistic, [](Real y) { return y - y * y; });
}

// max(x, 0) + log(1 + e^(-|x|)) has no term that overflows.
Operation softplus_operation(const Tensor& x) {
  return pointwise(
      "softplus", x, [](Real v) { return (v < 0 ? 0 : v) + std::log1p(vector_exp(-std::abs(v))); }, logistic);
}

// Not v > 0 ? v : 0, here and below: NaN must stay NaN.
Operation relu_operation(const Tensor& x) {
  return pointwise_by_value(
      "relu", x, [](Real v) { return v < 0 ? Real(0) : v; },
      [](Real y) { return y > 0 ? Real(1) : Real(0); });
}

Operation leaky_relu_operation(const Tensor& x, Real slope) {
  return pointwise(
      "leaky_relu", x, [slope](Real v) { return v > 0 ? v : slope * v; },
      [slope](Real v) { return v > 0 ? Real(1) : slope; });
}

Operation elu_operation(const Tensor& x) {
  return pointwise_by_value(
      "elu", x, [](Real v) { return v > 0 ? v : vector_expm1(v); },
      [](Real y) { return y > 0 ? Real(1) : y + 1; });
}

// Far from 0 the slopes of gelu and silu are 0 or 1 to all digits, but as they are written ∞·0: both are
// taken at the nearest of ±`far`. Below, their values are -0 to all digits.
constexpr Real gelu_far = 40, silu_far = 800;
constexpr Real within(Real far, Real v) { return v < -far ? -far : (v > far ? far : v); }

Operation gelu_operation(const Tensor& x) {
  constexpr Real root_half = Real(0.70710678118654752), one_over_root_two_pi = Real(0.39894228040143268);
  return pointwise(
      "gelu", x,
      [](Real v) {
        const Real u = v < -gelu_far ? -gelu_far : v;
        return u * (vector_erfc(-u * root_half) / 2);  // 2u may be too large
      },
      [](Real v) {
        const Real u = within(gelu_far, v);
        return vector_erfc(-u * root_half) / 2 + u * one_over_root_two_pi * vector_exp(-u * u / 2);
      });
}

Operation silu_operation(const Tensor& x) {
  return pointwise(
      "silu", x, [](Real v) { return (v < -silu_far ? -silu_far : v) * logistic(v); },
      [](Real v) {
        const Real y = logistic(v);
        return y + within(silu_far, v) * (y - y * y);
      });
}

Operation clip_operation(const Tensor& x, Real low, Real high) {
  if (!(low <= high))
    throw std::invalid_argument(text("clip: low must be at most high: low is ", low, ", high is ", high));
  return pointwise(
      "clip", x, [=](Real v) { return v < low ? low : (v > high ? high : v); },
      [=](Real v) { return v < low || v > high ? Real(0) : Real(1); });
}

}  // namespace gradual
