// What the passes over rows have in common. For kernels, which are compiled with the flags these loops want;
// static for the reason that is given in vector_math.hpp.
#pragma once

#include <limits>

#include <gradual/core/elements/vector_math.hpp>
#include <gradual/core/real.hpp>

namespace gradual {

/// The score of a place that may not be looked at: e to this power is 0.
constexpr Real minus_infinity = -std::numeric_limits<Real>::infinity();

/// The largest number of a row, -∞ for an empty one; what is not a number is passed over.
///
/// OpenMP's reduction does not serve: clang starts it from the lowest finite number, which no -∞ gets under.
/// Vectors of 32 bytes are registers nearly everywhere; wider ones are taken apart number by number where
/// they are not.
static inline Real largest(const Real* row, Index count) {
  using Vector __attribute__((vector_size(32), aligned(sizeof(Real)), may_alias)) = Real;
  constexpr Index lanes = 32 / static_cast<Index>(sizeof(Real));
  Real result = minus_infinity;
  if (count < lanes) {
    for (Index i = 0; i < count; ++i) result = row[i] > result ? row[i] : result;
    return result;
  }
  Vector even = Vector{} + result, odd = even;  // two, so that one need not wait for the other
  for (Index i = 0; i < count; i += 2 * lanes) {
    // The last vectors overlap those before them, which a maximum does not mind.
    const Index last = count - lanes, next = i + lanes;
    const Vector x = *reinterpret_cast<const Vector*>(row + (i < last ? i : last));
    const Vector y = *reinterpret_cast<const Vector*>(row + (next < last ? next : last));
    even = x > even ? x : even;
    odd = y > odd ? y : odd;
  }
  Vector top = even > odd ? even : odd;
  for (Index half = lanes / 2; half > 0; half /= 2)
    for (Index lane = 0; lane < half; ++lane)
      top[lane] = top[lane + half] > top[lane] ? top[lane + half] : top[lane];
  return top[0];
}

/// What is subtracted from the numbers of a row so that their exponentials neither overflow nor all vanish:
/// the largest, but 0 where that is -∞ and every exponential 0.
static inline Real exponent_offset(const Real* row, Index count) {
  const Real top = largest(row, count);
  return top > minus_infinity ? top : Real(0);
}

/// 1/total, but 0 for 0: a row without a key, or with all scores -∞, gets no weight at all instead of 0/0.
static inline Real inverse_total(Real total) { return total == 0 ? Real(0) : 1 / total; }

/// Σ_i e^(row_i - offset), for an offset that lets no power overflow: exponent_offset().
static inline Real sum_of_exponentials(const Real* row, Index count, Real offset) {
  Real total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < count; ++i) total += vector_exp(row[i] - offset);
  return total;
}

}  // namespace gradual
