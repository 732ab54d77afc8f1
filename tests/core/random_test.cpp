#include <gradual/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("random: the numbers are those of the published SplitMix64") {
  // https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64, from Sebastiano Vigna's reference code.
  Random random(1234567);
  const std::vector<std::uint64_t> expected{6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                            4593380528125082431u, 16408922859458223821u};
  for (std::uint64_t number : expected) CHECK(random.next_u64() == number);
}

TEST_CASE("random: the same seed gives the same numbers, another seed others") {
  Random a(7), b(7), c(8);
  bool all_equal = true;
  for (int i = 0; i < 100; ++i) all_equal = all_equal && a.next_u64() == b.next_u64();
  CHECK(all_equal);
  CHECK(a.next_u64() != c.next_u64());
}

TEST_CASE("random: the state can be stored and set, and the numbers go on from there") {
  Random random(7);
  random.normal();
  const Random::State state = random.state();
  const double next = random.uniform();
  Random other(1);
  other.set_state(state);
  CHECK(other.uniform() == next);
  CHECK(state.seed == 7);
  CHECK(state.position == 2);
}

TEST_CASE("random: copies draw from one stream, and a split stream is its own") {
  Random random(7), reference(7);
  Random copy = random;
  CHECK(random.next_u64() == reference.next_u64());
  CHECK(copy.next_u64() == reference.next_u64());
  Random split = random.split();
  reference.next_u64();
  split.next_u64();
  CHECK(random.next_u64() == reference.next_u64());
  Random one(3), two(3);
  CHECK(one.split().next_u64() == two.split().next_u64());
}

TEST_CASE("random: uniform numbers lie in [0, 1), with mean 1/2 and variance 1/12") {
  Random random(1);
  constexpr int count = 100000;
  double sum = 0, squares = 0, least = 1, most = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform();
    sum += x;
    squares += (x - 0.5) * (x - 0.5);
    least = std::min(least, x);
    most = std::max(most, x);
  }
  CHECK(least >= 0);
  CHECK(most < 1);
  CHECK(least < 1e-3);
  CHECK(most > 1 - 1e-3);
  CHECK(std::abs(sum / count - 0.5) < 4 * std::sqrt(1.0 / 12 / count));
  CHECK(std::abs(squares / count - 1.0 / 12) < 4 * std::sqrt(1.0 / 180 / count));
}

TEST_CASE("random: normal numbers have mean 0, variance 1, no skew and the tails of a normal distribution") {
  Random random(2);
  constexpr int count = 100000;
  double sum = 0, squares = 0, cubes = 0, fourth = 0;
  int beyond_two = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    cubes += x * x * x;
    fourth += x * x * x * x;
    beyond_two += std::abs(x) > 2;
  }
  // Four standard deviations of each estimate.
  CHECK(std::abs(sum / count) < 4 * std::sqrt(1.0 / count));
  CHECK(std::abs(squares / count - 1) < 4 * std::sqrt(2.0 / count));
  CHECK(std::abs(cubes / count) < 4 * std::sqrt(15.0 / count));
  CHECK(std::abs(fourth / count - 3) < 4 * std::sqrt(96.0 / count));
  CHECK(std::abs(beyond_two / double(count) - 0.0455003) < 4 * std::sqrt(0.0455 * 0.9545 / count));
}

TEST_CASE("random: numbers below a bound are all as likely") {
  Random random(3);
  constexpr int count = 60000;
  std::map<Index, int> seen;
  for (int i = 0; i < count; ++i) ++seen[random.below(6)];
  REQUIRE(seen.size() == 6);
  CHECK(seen.begin()->first == 0);
  CHECK(seen.rbegin()->first == 5);
  double chi_square = 0;
  for (const auto& [number, times] : seen) chi_square += (times - 10000.0) * (times - 10000.0) / 10000.0;
  CHECK(chi_square < 20.5);  // 99.9 % of fair dice with six sides stay below
}

TEST_CASE("random: bounds of 1, and of three quarters of all numbers, which a remainder would skew") {
  Random random(4);
  CHECK(random.below(1) == 0);
  // A plain remainder of 64 bits would lie below 2⁶¹ three times in eight instead of once in three.
  const Index bound = Index(3) << 61;
  int low = 0;
  for (int i = 0; i < 10000; ++i) low += random.below(bound) < (Index(1) << 61);
  CHECK(std::abs(low - 10000.0 / 3) < 4 * std::sqrt(10000 * (1.0 / 3) * (2.0 / 3)));
}

TEST_CASE("random: a bound that is not positive is refused") {
  Random random(5);
  CHECK_THROWS_AS(random.below(0), std::invalid_argument);
  CHECK_THROWS_WITH(random.below(-3), "below: the bound must be positive: got -3");
}

TEST_CASE("random: a permutation holds each number once, and all orders are as likely") {
  Random random(6);
  std::vector<Index> order = random.permutation(1000);
  CHECK(order != Random(7).permutation(1000));
  std::sort(order.begin(), order.end());
  for (Index i = 0; i < 1000; ++i) REQUIRE(order[static_cast<std::size_t>(i)] == i);
  CHECK(random.permutation(0).empty());

  std::map<std::vector<Index>, int> seen;
  for (int i = 0; i < 6000; ++i) ++seen[random.permutation(3)];
  REQUIRE(seen.size() == 6);
  double chi_square = 0;
  for (const auto& each : seen) chi_square += (each.second - 1000.0) * (each.second - 1000.0) / 1000.0;
  CHECK(chi_square < 20.5);
}
