// Rotary positions: by hand, at the edges, and what is refused.
#include <gradual/core/attention/rotary.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;

TEST_CASE("rotary: the pair (1, 0) at place p becomes (cos p, sin p), columns behind stay") {
  const Tensor y = rotate(Tensor({1, 2, 3}, {1, 0, 7, 1, 0, 8}), {2, 2, 3});
  CHECK(difference(
            y, Tensor({1, 2, 3}, {static_cast<Real>(std::cos(3)), static_cast<Real>(std::sin(3)), 7,
                                  static_cast<Real>(std::cos(4)), static_cast<Real>(std::sin(4)), 8})) == "");
}

TEST_CASE("rotary: a negative number of columns, odd heads and a missing tensor are refused") {
  const Tensor x = Tensor::ones({1, 2, 4});
  CHECK_THROWS_WITH(
      rotate(x, {-2, 2, 0}),
      "rotate: x must be [B, N, W] with at least the columns to turn, which are whole heads of an "
      "even width: x is [1, 2, 4], columns are -2, the head width is 2");
  CHECK_THROWS_AS(rotate_back(x, {-4, 2, 0}), std::invalid_argument);
  for (const Rotation& rotation :
       {Rotation{6, 2, 0}, Rotation{3, 3, 0}, Rotation{4, 0, 0}, Rotation{4, -2, 0}, Rotation{2, 4, 0}})
    CHECK_THROWS_AS(rotate(x, rotation), std::invalid_argument);
  CHECK_THROWS_AS(rotate({}, {2, 2, 0}), std::invalid_argument);
  CHECK_THROWS_AS(rotate(Tensor::ones({2, 4}), {2, 2, 0}), std::invalid_argument);
}

TEST_CASE("rotary: nothing to turn, no places, no sentences, and heads wider than memory without columns") {
  const Tensor x = random_tensor({2, 3, 4}, 1);
  CHECK(same_bits(rotate(x, {0, Index(1) << 60, 0}), x));
  CHECK(rotate(Tensor({0, 3, 4}), {4, 2, 0}).shape() == Shape{0, 3, 4});
  CHECK(rotate(Tensor({2, 0, 4}), {4, 2, 0}).shape() == Shape{2, 0, 4});
  CHECK(rotate(Tensor({2, 3, 0}), {0, 2, 0}).shape() == Shape{2, 3, 0});
}

TEST_CASE("rotary: places before the first and beyond the largest are places, and turns add up") {
  const Tensor x = random_tensor({1, 2, 4}, 1);
  CHECK(difference(rotate(rotate(x, {4, 4, -5}), {4, 4, 5}), rotate(rotate(x, {4, 4, 0}), {4, 4, 0})) == "");
  const Tensor there = rotate(x, {4, 2, -5});
  CHECK(difference(rotate_back(there, {4, 2, -5}), x) == "");
  for (const Real number : rotate(x, {4, 4, std::numeric_limits<Index>::max()})) CHECK(std::abs(number) < 2);
}
