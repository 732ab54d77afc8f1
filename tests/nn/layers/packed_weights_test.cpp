#include <gradual/nn/layers/packed_weights.hpp>

#include <utility>
#include <vector>

#include <gradual/core/products/products.hpp>
#include <gradual/nn/layers/layers.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// Products of these sizes are packed without them, too: see prefers_packing().
constexpr Index rows = 250, in = 48, out = 96;

Var parameter(const Shape& shape, std::uint64_t seed) { return Var::parameter(random_tensor(shape, seed)); }

Tensor by(PackedWeights& weights, const Linear& layer, const Tensor& x) {
  const PackedWeights::Use use(weights);
  return layer(x).value();
}

}  // namespace

TEST_CASE(
    "packed weights: as they are, a linear layer gives what it gives without them, for few rows and many, "
    "and "
    "the same bits again") {
  const Linear layer(in, out, Random(1));
  PackedWeights weights;
  for (const Index count : {rows, Index(50), Index(3), Index(1), Index(0)}) {
    const Tensor x = random_tensor({count, in}, 2), y = by(weights, layer, x);
    CHECK(difference(y, layer(x).value()) == "");
    CHECK(by(weights, layer, x).to_vector() == y.to_vector());
  }
  const Tensor nested = random_tensor({5, 50, in}, 3);
  CHECK(by(weights, layer, nested).shape() == Shape{5, 50, out});
  CHECK(difference(by(weights, layer, nested), layer(nested).value()) == "");
}

TEST_CASE("packed weights: a weight that has changed, however it did, is packed anew") {
  const Precision precision = GENERATE(Precision::real, Precision::int8);
  Linear layer(in, out, Random(1));
  PackedWeights weights(precision);
  const Tensor x = random_tensor({rows, in}, 2);
  const auto check = [&] {
    PackedWeights fresh(precision);
    CHECK(by(weights, layer, x).to_vector() == by(fresh, layer, x).to_vector());
  };
  const std::vector<Real> before = by(weights, layer, x).to_vector();
  layer.weight.set_value(random_tensor({out, in}, 3));
  check();
  const Tensor two = random_tensor({2, out, in}, 4);  // of which it becomes one half, and then the other
  for (const Index half : {0, 1}) {
    layer.weight.set_value(two[half]);
    check();
  }
  layer.weight.unguarded_data()[0] += 1;  // as an optimizer does
  check();
  Real* const exposed = layer.weight.mutable_data();
  exposed[1] += 1;
  check();
  exposed[1] += 1;  // and again, after it was packed
  check();
  CHECK(by(weights, layer, x).to_vector() != before);
}

TEST_CASE("packed weights: a weight that may be written to gives the bits of one that may not") {
  const Precision precision = GENERATE(Precision::real, Precision::int8);
  constexpr Index deep = 1000;  // so many products that another way to add them shows
  Linear layer(deep, out, Random(1));
  PackedWeights weights(precision);
  const Tensor few = random_tensor({5, deep}, 2), many = random_tensor({rows, deep}, 3);
  const std::vector<Real> of_few = by(weights, layer, few).to_vector(),
                          of_many = by(weights, layer, many).to_vector();
  layer.weight.mutable_data();
  CHECK(by(weights, layer, few).to_vector() == of_few);
  CHECK(by(weights, layer, many).to_vector() == of_many);
}

TEST_CASE("packed weights: in 8 bits a layer is an Int8Matrix with a bias, whole or some of its rows") {
  const Var weight = parameter({out, in}, 1), bias = parameter({out}, 2);
  const Tensor x = random_tensor({7, in}, 3);
  PackedWeights weights(Precision::int8);
  for (const auto& [first, last] : std::vector<std::pair<Index, Index>>{{0, out}, {16, 57}, {5, 5}}) {
    const Index count = last - first;
    Tensor expected({7, count});
    parallel_multiply(7, {x.data(), in}, Int8Matrix::of_weight(weight.value().rows(first, last)),
                      {expected.mutable_data(), count, 1, 0, bias.value().data() + first});
    CHECK(weights.linear(x, weight, bias, first, last).to_vector() == expected.to_vector());
  }
  Tensor without({7, out});
  parallel_multiply(7, {x.data(), in}, Int8Matrix::of_weight(weight.value()), {without.mutable_data(), out});
  CHECK(weights.linear(x, weight, {}, 0, out).to_vector() == without.to_vector());
}

TEST_CASE("packed weights: they are used inside their scope, on this thread, and nowhere else") {
  PackedWeights outer, inner;
  CHECK(PackedWeights::in_use() == nullptr);
  {
    const PackedWeights::Use first(outer);
    CHECK(PackedWeights::in_use() == &outer);
    CHECK_FALSE(grad_enabled());
    {
      const PackedWeights::Use second(inner);
      CHECK(PackedWeights::in_use() == &inner);
    }
    CHECK(PackedWeights::in_use() == &outer);
  }
  CHECK(PackedWeights::in_use() == nullptr);
  CHECK(grad_enabled());
}

TEST_CASE("packed weights: some rows of a weight, packed or not, are the product with a slice, and learn") {
  const Var weight = parameter({out, in}, 1), bias = parameter({out}, 2);
  const Tensor x = random_tensor({rows, in}, 3);
  const Var y = linear_by_rows(x, weight, bias, 10, 60);
  CHECK(difference(y.value(), slice(linear(x, weight.value(), bias.value()), 1, 10, 60)) == "");
  backward(y, Tensor::ones(y.shape()));
  CHECK(bias.grad()({9}) == 0);
  CHECK(bias.grad()({10}) == static_cast<Real>(rows));
  PackedWeights weights;
  CHECK(weights.linear(x, weight, bias, 10, 60).to_vector() == y.value().to_vector());
}

TEST_CASE("packed weights: what does not fit is refused by the product's own words") {
  const Var weight = parameter({out, in}, 1);
  PackedWeights weights(GENERATE(Precision::real, Precision::int8));
  CHECK_THROWS_WITH(weights.linear(Tensor::ones({2, 3}), weight, {}, 0, out),
                    "linear: the last axis of x must be the input size of the weight [out, in]: x is [2, 3], "
                    "weight is [96, 48]");
}
