#include <gradual/core/elements/finite.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ostream>
#include <string>

#include <gradual/core/checks.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {

// 0·x is 0 for a finite x and NaN for the others.
bool all_finite(const Tensor& x) {
  check_defined("all_finite", "x", x);
  std::atomic<bool> finite{true};
  parallel_elements(x.size(), [from = x.data(), &finite](Index first, Index last) {
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index i = first; i < last; ++i) sum += 0 * from[i];
    if (sum != 0) finite = false;
  });
  return finite;
}

NumberKinds number_kinds(const Tensor& x) {
  check_defined("number_kinds", "x", x);
  NumberKinds kinds;
  for (const Real value : x) {
    if (std::isnan(value)) {
      ++kinds.nan;
    } else if (std::isinf(value)) {
      ++(value > 0 ? kinds.infinite : kinds.minus_infinite);
    } else {
      kinds.least = kinds.finite == 0 ? value : std::min(kinds.least, value);
      kinds.greatest = kinds.finite == 0 ? value : std::max(kinds.greatest, value);
      ++kinds.finite;
    }
  }
  return kinds;
}

std::ostream& operator<<(std::ostream& out, const NumberKinds& kinds) {
  const Index all = kinds.finite + kinds.nan + kinds.infinite + kinds.minus_infinite;
  std::string before = "";
  const auto count = [&](Index number, const char* what) {
    if (number == 0) return;
    out << before << number;
    if (before.empty()) out << " of " << all;
    out << (number == 1 ? " is " : " are ") << what;
    before = ", ";
  };
  count(kinds.nan, "NaN");
  count(kinds.infinite, "inf");
  count(kinds.minus_infinite, "-inf");
  if (kinds.finite > 0)
    out << (before.empty() ? "all " : "; the others ") << "from " << kinds.least << " to " << kinds.greatest;
  else if (all == 0)
    out << "no numbers";
  return out;
}

}  // namespace gradual
