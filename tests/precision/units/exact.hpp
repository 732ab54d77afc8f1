// Numbers in long double that know what rounding would have cost on the way to them.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// A value, and Σ |∂value/∂z|·|z| over all results z on the way to it, itself among them: in first order,
/// what comes of an error of 1 (relative) in each. A number that is given costs nothing.
struct Exact {
  long double value = 0, cost = 0;
  Exact() = default;
  Exact(long double given) : value(given) {}
  Exact(long double result, long double cost_of_operands)
      : value(result),
        cost(cost_of_operands + std::fmax(std::fabs(result), std::numeric_limits<Real>::min())) {}
};

inline Exact operator+(const Exact& a, const Exact& b) { return {a.value + b.value, a.cost + b.cost}; }
inline Exact operator-(const Exact& a, const Exact& b) { return {a.value - b.value, a.cost + b.cost}; }
inline Exact operator-(Exact a) {
  a.value = -a.value;
  return a;
}
inline Exact operator*(const Exact& a, const Exact& b) {
  return {a.value * b.value, std::fabs(a.value) * b.cost + std::fabs(b.value) * a.cost};
}
inline Exact operator/(const Exact& a, const Exact& b) {
  return {a.value / b.value, (a.cost + std::fabs(a.value / b.value) * b.cost) / std::fabs(b.value)};
}
/// f(x) with this value and slope.
inline Exact of(const Exact& x, long double value, long double slope) {
  return {value, std::fabs(slope) * x.cost};
}
inline Exact exp(const Exact& x) { return of(x, std::exp(x.value), std::exp(x.value)); }
inline Exact log(const Exact& x) { return of(x, std::log(x.value), 1 / x.value); }
inline Exact sqrt(const Exact& x) {
  return of(x, std::sqrt(x.value), x.value > 0 ? 0.5L / std::sqrt(x.value) : 0);
}
inline Exact tanh(const Exact& x) {
  return of(x, std::tanh(x.value), 1 - std::tanh(x.value) * std::tanh(x.value));
}
/// Where e^(-x) is too large for a Real, σ(x) is 0: what is smaller than this counts as this.
constexpr long double least_sigmoid = 1e-30L;
inline Exact sigmoid(const Exact& x) {
  const long double y = 1 / (1 + std::exp(-x.value));
  Exact result = of(x, y, y * (1 - y));
  result.cost = std::fmax(result.cost, least_sigmoid);
  return result;
}

/// Σ term(i) over i below `count`: each term is rounded once more, whatever the order and the number of
/// terms.
template <class Term>
Exact sum_of(Index count, Term term) {
  Exact total;
  for (Index i = 0; i < count; ++i) {
    const Exact each = term(i);
    total.value += each.value;
    total.cost += each.cost + std::fabs(each.value);
  }
  return total;
}

/// The distance between neighbouring numbers of type Real at this size.
inline long double unit_at(long double size) {
  using Limits = std::numeric_limits<Real>;
  const long double least = Limits::denorm_min();
  if (!(std::fabs(size) > 0)) return least;
  return std::fmax(std::ldexp(1.0L, std::ilogb(size) - (Limits::digits - 1)), least);
}

/// |got - expected| in units at the size `cost`; what lies beyond the largest number is to be infinite.
inline double units_between(Real got, long double expected, long double cost) {
  if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) == std::isnan(got) ? 0 : INFINITY;
  constexpr long double most = std::numeric_limits<Real>::max();
  const long double end = most + unit_at(most);  // where the next number would be, which ∞ stands for
  const auto bounded = [&](long double x) { return std::fmax(-end, std::fmin(end, x)); };
  return static_cast<double>(std::fabs(bounded(got) - bounded(expected)) / unit_at(std::fmin(end, cost)));
}

}  // namespace gradual
