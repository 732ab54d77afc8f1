// Tensors for tests: random ones, and how far two are apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// What rounding may change: a float keeps 7 digits, a double 16.
constexpr double rounding_tolerance = std::is_same_v<Real, float> ? 1e-5 : 1e-10;

constexpr Real infinity = std::numeric_limits<Real>::infinity();

/// Uniform in [low, high).
inline Tensor random_tensor(const Shape& shape, std::uint64_t seed, double low = -1, double high = 1) {
  Random random(seed);
  std::vector<Real> values(static_cast<std::size_t>(shape.size()));
  for (Real& value : values) value = static_cast<Real>(low + (high - low) * random.uniform());
  return Tensor(shape, values);
}

/// Empty when two tensors agree to a relative tolerance t, and otherwise what is wrong. Two measures must
/// both hold, with e for the expected numbers and rms(e) = √(mean e²):
///   of the whole      ‖ours - e‖ <= t·‖e‖
///   of each element   |ours_i - e_i| <= t·max(|e_i|, rms(e))
/// The floor rms(e) is there because an element near 0 is the small difference of large ones. Infinite
/// elements must be equal; where all expected ones are 0, so must ours be.
inline std::string difference(const Tensor& ours, const Tensor& expected,
                              double tolerance = rounding_tolerance) {
  if (ours.shape() != expected.shape())
    return text("the shape is ", ours.shape(), ", expected ", expected.shape());
  double expected_squares = 0, error_squares = 0;
  for (Index i = 0; i < expected.size(); ++i) {
    const double e = expected.data()[i], o = ours.data()[i];
    if (o == e && std::isinf(e)) continue;
    if (!std::isfinite(o) || !std::isfinite(e)) return text("element ", i, " is ", o, ", expected ", e);
    expected_squares += e * e;
    error_squares += (o - e) * (o - e);
  }
  const double count = static_cast<double>(std::max<Index>(expected.size(), 1));
  const double floor = std::sqrt(expected_squares / count);
  for (Index i = 0; i < expected.size(); ++i) {
    const double e = expected.data()[i], o = ours.data()[i];
    if (std::isfinite(e) && !(std::abs(o - e) <= tolerance * std::max(std::abs(e), floor)))
      return text("element ", i, " of ", expected.shape(), " is ", o, ", expected ", e, ": off by ", o - e);
  }
  if (!(std::sqrt(error_squares) <= tolerance * std::sqrt(expected_squares)))
    return text("the whole is off by ", std::sqrt(error_squares / expected_squares), " of its norm");
  return "";
}

}  // namespace gradual
