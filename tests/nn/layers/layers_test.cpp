#include <gradual/nn/layers/layers.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include <gradual/nn/layers/feed_forward.hpp>
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

TEST_CASE("feed-forward: far from 0 the slopes of gelu_tanh and SwiGLU are numbers") {
  const Tensor one = Tensor::ones({1, 1});
  // f(x) and f'(x) of a network with one path, whose weights are 1
  const auto at = [&](auto network, Real value) {
    for (const NamedParameter& parameter : parameters(network))
      if (parameter.variable.shape() == one.shape()) Var(parameter.variable).set_value(one);
    const Var x = Var::parameter(Tensor::full({1, 1}, value));
    const Var y = network(x);
    backward(sum(y));
    return std::pair(y.value().item(), x.grad().item());
  };
  const auto gelu = [&](Real value) {
    return at(FeedForward(1, 1, Activation::gelu_tanh, 0, Random(1)), value);
  };
  for (const Real large : {Real(50), Real(1e13), Real(1e20), std::numeric_limits<Real>::max()}) {
    CHECK(gelu(large) == std::pair(large, Real(1)));
    CHECK(gelu(-large) == std::pair(Real(0), Real(0)));
  }
  const auto swiglu = [&](Real value) { return at(SwiGlu(1, 1, 0, Random(1)), value); };
  CHECK(swiglu(Real(-2e19)) == std::pair(Real(0), Real(0)));
  CHECK(swiglu(Real(1e9)) == std::pair(Real(1e9) * Real(1e9), Real(2e9)));  // x·x
}
