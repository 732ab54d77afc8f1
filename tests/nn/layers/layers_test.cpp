#include <gradual/nn/layers/layers.hpp>

#include <cmath>

#include <gradual/nn/layers/initialization.hpp>
#include <gradual/nn/positions/vectors.hpp>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("linear: y = W·x + b by hand") {
  Linear layer(2, 2, Random(1));
  layer.weight.set_value(Tensor({2, 2}, {1, 2, 3, 4}));
  layer.bias.set_value(Tensor({2}, {10, 20}));
  CHECK(layer(Tensor({1, 2}, {5, 6})).value().to_vector() == std::vector<Real>{27, 59});
}

TEST_CASE("initialization: Glorot weights stay within the limit and use it") {
  const Tensor w = glorot_uniform(30, 70, Random(2));
  const double limit = std::sqrt(6.0 / 100);
  Real largest = 0;
  for (Real x : w) largest = std::max(largest, std::abs(x));
  CHECK(largest <= limit);
  CHECK(largest > 0.98 * limit);
}

TEST_CASE("dropout layer: a probability outside [0, 1) is refused") {
  CHECK_THROWS_WITH(Dropout(1.5, Random(1)), "dropout: the probability must lie in [0, 1): got 1.5");
  CHECK_THROWS_WITH(Dropout(-0.1, Random(1)), "dropout: the probability must lie in [0, 1): got -0.1");
}

TEST_CASE("positions: sinusoids are those of the paper") {
  const Tensor table = sinusoidal_positions(50, 8);
  CHECK(table({0, 0}) == 0);
  CHECK(table({0, 1}) == 1);
  CHECK(table({3, 2}) == Approx(std::sin(3 / std::pow(10000.0, 2.0 / 8))).epsilon(1e-5));
  CHECK(table({49, 7}) == Approx(std::cos(49 / std::pow(10000.0, 6.0 / 8))).epsilon(1e-5));
}

TEST_CASE("positions: learned ones start as large as the words that they are added to") {
  constexpr Index width = 64;
  const Tensor words = Embedding(500, width, Random(1)).weight.value();
  const Tensor places = LearnedPositions(500, width, Random(2))(0, 500).value();
  const auto mean_square = [](const Tensor& x) {
    double total = 0;
    for (const Real value : x) total += static_cast<double>(value) * static_cast<double>(value);
    return total / static_cast<double>(x.size());
  };
  CHECK(mean_square(places) == Approx(width * mean_square(words)).epsilon(0.05));  // words are scaled by √D
}

TEST_CASE("positions: sinusoids go on beyond the length they were made for, learned ones do not") {
  const SinusoidalPositions endless(4, 8);
  const Tensor late = endless(10, 2).value();
  CHECK(late({1, 0}) == Approx(std::sin(11.0)).margin(1e-5));
  const LearnedPositions learned(4, 8, Random(1));
  CHECK(learned(1, 3).shape() == Shape{3, 8});
  CHECK_THROWS_WITH(learned(1, 4), "positions: learned for 4 places: got position 4");
}
