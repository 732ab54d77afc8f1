// A thousand random shapes, for tests that compare a fast kernel with its plain version.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/random.hpp>
#include <gradual/core/reference/array.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

namespace gradual {

/// The sizes, numbers and choices of one case; the same for the same seed.
class RandomCase {
 public:
  explicit RandomCase(std::uint64_t seed) : random_(seed) {}

  bool chance(double probability = 0.5) { return random_.uniform() < probability; }
  Index from(Index least, Index most) { return least + random_.below(most - least + 1); }
  /// 0 or 1 in a tenth of the cases each, else anything up to `most`.
  Index size(Index most) {
    const double kind = random_.uniform();
    return kind < 0.1 ? 0 : kind < 0.2 ? 1 : from(1, most);
  }
  /// The same without 0.
  Index some(Index most) { return chance(0.1) ? 1 : from(1, most); }

  Tensor numbers(const Shape& shape, double low = -2, double high = 2) {
    return random_tensor(shape, random_.next_u64(), low, high);
  }
  /// Whole numbers from `least` to `most`.
  Indices whole(const Shape& shape, Index least, Index most) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(shape.size()));
    for (std::int32_t& value : values) value = static_cast<std::int32_t>(from(least, most));
    return {shape, std::move(values)};
  }

 private:
  Random random_;
};

/// Calls body(random) for so many cases; a failure names the seed of its case.
template <class Body>
void for_random_cases(int count, Body body) {
  for (int seed = 0; seed < count; ++seed) {
    INFO("random case " << seed);
    RandomCase random(static_cast<std::uint64_t>(seed));
    body(random);
  }
}

/// How many times farther off than stated a sum may be. A debug build adds up one number after the other,
/// where an optimized one makes eight or more sums side by side, whose errors are smaller.
#ifdef NDEBUG
constexpr double build_slack = 1;
#else
constexpr double build_slack = 4;
#endif

/// Empty when ours agrees with the plain version, and otherwise what is wrong: no element is off by more than
/// `units` of the last place, of the element, or of `scale` where that is larger. In double the bound is
/// 1e-12 for every kernel. The scale should be the size of what was added up; without one it is the root of
/// the mean square of the plain version's elements.
inline std::string departure(const Tensor& ours, const reference::Array& plain, double units,
                             double scale = 0) {
  const double bound =
      std::is_same_v<Real, float> ? units * build_slack * std::numeric_limits<float>::epsilon() : 1e-12;
  if (xtensor_shape(ours.shape()) != std::vector<std::size_t>(plain.shape().begin(), plain.shape().end()))
    return text("the shape is ", ours.shape(), ", of other sizes than the plain version's");
  double squares = 0;
  for (double each : plain) squares += each * each;
  scale = std::max(scale, std::sqrt(squares / static_cast<double>(std::max<std::size_t>(plain.size(), 1))));
  auto expected = plain.begin();
  for (Index i = 0; i < ours.size(); ++i, ++expected) {
    const double error = std::abs(static_cast<double>(ours.data()[i]) - *expected);
    if (!(error <= bound * std::max(std::abs(*expected), scale)))
      return text("element ", i, " of ", ours.shape(), " is ", ours.data()[i], ", plainly ", *expected,
                  ": off by ",
                  error / std::numeric_limits<Real>::epsilon() / std::max(std::abs(*expected), scale),
                  " units in the last place");
  }
  return "";
}

/// The largest absolute value.
inline double magnitude(const reference::Array& x) {
  double largest = 0;
  for (double each : x) largest = std::max(largest, std::abs(each));
  return largest;
}

}  // namespace gradual
