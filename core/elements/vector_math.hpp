// Mathematical functions as short straight-line code that compilers turn into vector instructions.
//
// The float versions are about ten times faster in a loop than std::exp and std::erf, which are called one
// element at a time. The double build uses the standard functions: there the last bit matters and speed does
// not.
//
// All are static: of an inline function that stays a call the linker keeps one copy of all, perhaps that of a
// program that was compiled for another processor or without vectors, and the library would run it.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include <gradual/core/real.hpp>

namespace gradual {

/// c₀·xⁿ + c₁·xⁿ⁻¹ + … by Horner's rule.
template <class... Coefficients>
[[gnu::always_inline]] static inline float polynomial(float x, float first, Coefficients... others) {
  ((first = first * x + others), ...);
  return first;
}

/// x = n·ln 2 + r with |r| <= ln 2 / 2, and eʳ by its Taylor polynomial of degree 7, for |n| < 2²². Of a NaN,
/// eʳ is NaN and n any number.
struct PartsOfExp {
  std::uint32_t n;  // modulo 2³²
  float of_r;
};
[[gnu::always_inline]] static inline PartsOfExp parts_of_exp(float x) {
  constexpr float log2_e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  // Adding 1.5·2²³ rounds to the nearest whole number, which then stands in the last bits: no conversion is
  // needed, which takes time and must not be of a NaN.
  constexpr float shift = 12582912.0f;
  constexpr std::uint32_t bits_of_shift = 0x4B400000;
  const float shifted = x * log2_e + shift, n = shifted - shift;
  std::uint32_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  const float r = (x - n * ln2_high) - n * ln2_low;
  return {bits - bits_of_shift,
          polynomial(r, 1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f)};
}
/// 2ⁿ for whole numbers from -126 to 127, modulo 2³², by its exponent bits.
[[gnu::always_inline]] static inline float power_of_two(std::uint32_t n) {
  const std::uint32_t bits = (n + 127) << 23;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

/// eˣ = 2ⁿ·eʳ, with a relative error below 2e-7 between -87.3 and 88.72, where floats end: ∞ above, and below
/// numbers with fewer and fewer digits, down to 0 at -104.
static inline float vector_exp(float x) {
  constexpr float lowest = -104.0f, highest = 89.0f;
  const float not_below = x < lowest ? lowest : x;  // a NaN stays one
  const PartsOfExp parts = parts_of_exp(not_below > highest ? highest : not_below);
  // In two factors, since n itself may lie beyond the exponents of numbers. 512 is added so that what is
  // halved is positive.
  const std::uint32_t half = (parts.n + 512) / 2 - 256;
  return parts.of_r * power_of_two(half) * power_of_two(parts.n - half);
}
static inline double vector_exp(double x) { return std::exp(x); }

/// The same number, to the last bit, for x <= 0: three quarters of the work, as the rows of softmax have it
/// once their largest number is subtracted.
static inline float vector_exp_of_negative(float x) {
  constexpr float lowest = -104.0f, down = 1 / 18446744073709551616.0f;  // 2⁻⁶⁴: all that n lacks below -126
  const PartsOfExp parts = parts_of_exp(x < lowest ? lowest : x);
  // What is 0 is so by a product with 0: one that ends below the least of all numbers is slow.
  return parts.of_r * power_of_two(parts.n + 64) * (x < lowest ? 0.0f : down);
}
static inline double vector_exp_of_negative(double x) { return std::exp(x); }

/// eˣ - 1, with a relative error below 5e-7 near 0, too, where the difference would cancel: there its Taylor
/// polynomial.
static inline float vector_expm1(float x) {
  const float p =
      polynomial(x, 1.0f / 40320, 1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f);
  return x > -0.5f && x < 0.5f ? p * x : vector_exp(x) - 1.0f;
}
static inline double vector_expm1(double x) { return std::expm1(x); }

/// σ(x) = 1 / (1 + e⁻ˣ)
static inline Real logistic(Real x) { return 1 / (1 + vector_exp(-x)); }

/// erfc x = 1 - erf x, with an absolute error below 5e-7, and a small relative one where erfc x is small.
///
/// erfc z = t·exp(-z² + P(t)) with t = 2 / (2 + z) for z >= 0, the Chebyshev fit of Press et al., Numerical
/// Recipes, §6.2.
static inline float vector_erfc(float x) {
  const float z = x < 0 ? -x : x;
  const float t = 2.0f / (2.0f + z);
  const float p = polynomial(t, 0.17087277f, -0.82215223f, 1.48851587f, -1.13520398f, 0.27886807f,
                             -0.18628806f, 0.09678418f, 0.37409196f, 1.00002368f, -1.26551223f);
  const float erfc = t * vector_exp(-z * z + p);
  return x < 0 ? 2.0f - erfc : erfc;
}
static inline double vector_erfc(double x) { return std::erfc(x); }

/// tanh x = sign(x)·(1 - e^(-2|x|)) / (1 + e^(-2|x|)); near 0, where that would cancel, its Taylor
/// polynomial.
static inline float vector_tanh(float x) {
  const float z = x < 0 ? -x : x;
  const float e = vector_exp(-2 * z);
  const float far = (1 - e) / (1 + e);
  const float x2 = x * x;
  const float near =
      x * (1 + x2 * (-1.0f / 3 + x2 * (2.0f / 15 + x2 * (-17.0f / 315 + x2 * (62.0f / 2835)))));
  return z < 0.3f ? near : (x < 0 ? -far : far);
}
static inline double vector_tanh(double x) { return std::tanh(x); }

/// 32 well-mixed bits from a counter and a key: a bijection of the counter with low bias (the constants of
/// Chris Wellons' lowbias32, 2018), with the key mixed in between its two rounds.
static inline std::uint32_t hash32(std::uint32_t counter, std::uint32_t key) {
  std::uint32_t h = counter;
  h ^= h >> 16;
  h *= 0x7feb352du;
  h ^= (h >> 15) ^ key;
  h *= 0x846ca68bu;
  h ^= h >> 16;
  return h;
}

}  // namespace gradual
