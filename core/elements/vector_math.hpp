// Mathematical functions as short straight-line code that compilers turn into vector instructions.
//
// The float versions are about ten times faster in a loop than std::exp and std::erf, which are called one
// element at a time. The double build uses the standard functions: there the last bit matters and speed does
// not.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include <gradual/core/real.hpp>

namespace gradual {

/// eˣ, with a relative error below 2e-7; 0 below about -87.3, where floats end.
///
/// x = n·ln 2 + r with |r| <= ln 2 / 2, so eˣ = 2ⁿ·eʳ; eʳ by its Taylor polynomial of degree 7, 2ⁿ by writing
/// n into the exponent bits.
inline float vector_exp(float x) {
  constexpr float log2_e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  const float not_above = x < 88.3f ? x : 88.3f;  // of a NaN, too, a number
  const float clamped = not_above > -87.3f ? not_above : -87.3f;
  // Adding and subtracting 1.5·2²³ rounds to the nearest whole number.
  const float n = (clamped * log2_e + 12582912.0f) - 12582912.0f;
  const float r = (clamped - n * ln2_high) - n * ln2_low;
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const std::int32_t exponent = (static_cast<std::int32_t>(n) + 127) << 23;
  float power;
  std::memcpy(&power, &exponent, sizeof power);
  const float y = p * power;
  return x < -87.3f ? 0.0f : (x > 88.3f ? HUGE_VALF : (x == x ? y : x));
}
inline double vector_exp(double x) { return std::exp(x); }

/// erf x, with an absolute error below 5e-7.
///
/// erfc z = t·exp(-z² + P(t)) with t = 2 / (2 + z) for z >= 0, the Chebyshev fit of Press et al., Numerical
/// Recipes, §6.2.
inline float vector_erf(float x) {
  const float z = x < 0 ? -x : x;
  const float t = 2.0f / (2.0f + z);
  float p = 0.17087277f;
  p = p * t - 0.82215223f;
  p = p * t + 1.48851587f;
  p = p * t - 1.13520398f;
  p = p * t + 0.27886807f;
  p = p * t - 0.18628806f;
  p = p * t + 0.09678418f;
  p = p * t + 0.37409196f;
  p = p * t + 1.00002368f;
  p = p * t - 1.26551223f;
  const float erfc = t * vector_exp(-z * z + p);
  return x < 0 ? erfc - 1.0f : 1.0f - erfc;
}
inline double vector_erf(double x) { return std::erf(x); }

/// tanh x = sign(x)·(1 - e^(-2|x|)) / (1 + e^(-2|x|)); near 0, where that would cancel, its Taylor
/// polynomial.
inline float vector_tanh(float x) {
  const float z = x < 0 ? -x : x;
  const float e = vector_exp(-2 * z);
  const float far = (1 - e) / (1 + e);
  const float x2 = x * x;
  const float near =
      x * (1 + x2 * (-1.0f / 3 + x2 * (2.0f / 15 + x2 * (-17.0f / 315 + x2 * (62.0f / 2835)))));
  return z < 0.3f ? near : (x < 0 ? -far : far);
}
inline double vector_tanh(double x) { return std::tanh(x); }

/// 32 well-mixed bits from a counter and a key: a bijection of the counter with low bias (the constants of
/// Chris Wellons' lowbias32, 2018), with the key mixed in between its two rounds.
inline std::uint32_t hash32(std::uint32_t counter, std::uint32_t key) {
  std::uint32_t h = counter;
  h ^= h >> 16;
  h *= 0x7feb352du;
  h ^= (h >> 15) ^ key;
  h *= 0x846ca68bu;
  h ^= h >> 16;
  return h;
}

}  // namespace gradual
