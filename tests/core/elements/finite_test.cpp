#include <gradual/core/elements/finite.hpp>

#include <cmath>
#include <limits>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {
constexpr Real nan_value = std::numeric_limits<Real>::quiet_NaN(),
               inf = std::numeric_limits<Real>::infinity();
}

TEST_CASE("all_finite: finds one NaN or infinity at any place of a tensor of any size") {
  for (const Index size : {1, 7, 64, 65, 1000, 50000}) {
    Tensor x = Tensor::full({size}, std::numeric_limits<Real>::max());
    CHECK(all_finite(x));
    for (const Index place : {Index{0}, size / 2, size - 1}) {
      for (const Real bad : {nan_value, -nan_value, inf, -inf}) {
        Tensor y = x;
        y.mutable_data()[place] = bad;
        CHECK_FALSE(all_finite(y));
      }
    }
  }
}

TEST_CASE("all_finite: the largest and smallest numbers are finite, and so is nothing") {
  using Limits = std::numeric_limits<Real>;
  CHECK(all_finite(Tensor({4}, {Limits::max(), Limits::lowest(), Limits::denorm_min(), -Real(0)})));
  CHECK(all_finite(Tensor::zeros({0, 3})));
  CHECK_THROWS_WITH(all_finite(Tensor()), "all_finite: x must be defined");
}

TEST_CASE("number_kinds: counts each kind, and says how far the finite ones reach") {
  const NumberKinds kinds = number_kinds(Tensor({6}, {nan_value, 2.5, inf, -inf, -1, inf}));
  CHECK(kinds.finite == 2);
  CHECK(kinds.nan == 1);
  CHECK(kinds.infinite == 2);
  CHECK(kinds.minus_infinite == 1);
  CHECK(kinds.least == -1);
  CHECK(kinds.greatest == Real(2.5));
  CHECK(text(kinds) == "1 of 6 is NaN, 2 are inf, 1 is -inf; the others from -1 to 2.5");
  CHECK(text(number_kinds(Tensor({2}, {3, 3}))) == "all from 3 to 3");
  CHECK(text(number_kinds(Tensor({1}, {inf}))) == "1 of 1 is inf");
  CHECK(text(number_kinds(Tensor::zeros({0}))) == "no numbers");
}
