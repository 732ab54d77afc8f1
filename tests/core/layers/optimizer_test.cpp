#include <gradual/core/layers/optimizer.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

struct Problem {
  std::vector<Tensor> values, m, v;

  explicit Problem(const std::vector<Shape>& shapes) {
    std::uint64_t seed = 0;
    for (const Shape& shape : shapes) {
      values.push_back(random_tensor(shape, ++seed));
      m.push_back(Tensor::zeros(shape));
      v.push_back(Tensor::zeros(shape));
    }
  }
  std::vector<AdamParameter> parameters(const std::vector<Tensor>& gradients, Real decay) {
    std::vector<AdamParameter> result;
    for (std::size_t i = 0; i < values.size(); ++i)
      result.push_back({gradients[i].data(), values[i].mutable_data(), m[i].mutable_data(),
                        v[i].mutable_data(), values[i].size(), decay});
    return result;
  }
};

AdamStep step_number(int t, Real scale) {
  AdamStep step;
  step.beta1 = Real(0.9);
  step.beta2 = Real(0.98);
  step.epsilon = Real(1e-9);
  step.rate = Real(0.01);
  step.correction1 = static_cast<Real>(1 - std::pow(0.9, t));
  step.correction2 = static_cast<Real>(1 - std::pow(0.98, t));
  step.scale = scale;
  return step;
}

std::vector<Tensor> gradients_of_step(const std::vector<Shape>& shapes, int t) {
  std::vector<Tensor> gradients;
  for (const Shape& shape : shapes)
    gradients.push_back(random_tensor(shape, static_cast<std::uint64_t>(100 * t + shape.size()), -2, 2));
  return gradients;
}

}  // namespace

TEST_CASE("adam: five steps equal the algorithm in double, with clipping and weight decay") {
  const std::vector<Shape> shapes{{3, 5}, {}, {0}, {200, 100}};
  const double scale = 0.5, decay = 0.001;
  Problem problem(shapes);
  const std::vector<Tensor> start = problem.values;
  std::vector<std::vector<Tensor>> gradients;
  for (int t = 1; t <= 5; ++t) {
    gradients.push_back(gradients_of_step(shapes, t));
    adam_step(step_number(t, Real(scale)), problem.parameters(gradients.back(), Real(decay)));
  }

  for (std::size_t p = 0; p < shapes.size(); ++p) {
    Tensor values = start[p], ms(shapes[p]), vs(shapes[p]);
    for (Index i = 0; i < values.size(); ++i) {
      double value = static_cast<double>(start[p].data()[i]), m = 0, v = 0;
      for (int t = 1; t <= 5; ++t) {
        const double g = scale * static_cast<double>(gradients[static_cast<std::size_t>(t - 1)][p].data()[i]);
        m = 0.9 * m + 0.1 * g;
        v = 0.98 * v + 0.02 * g * g;
        value = value * (1 - decay) -
                0.01 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.98, t))) + 1e-9);
      }
      values.mutable_data()[i] = static_cast<Real>(value);
      ms.mutable_data()[i] = static_cast<Real>(m);
      vs.mutable_data()[i] = static_cast<Real>(v);
    }
    CHECK(difference(problem.values[p], values) == "");
    CHECK(difference(problem.m[p], ms) == "");
    CHECK(difference(problem.v[p], vs, 5 * rounding_tolerance) == "");
  }
}

TEST_CASE("adam: the first step moves each element by the learning rate against its gradient") {
  Problem problem(std::vector<Shape>{Shape{3}});
  const Tensor before = problem.values[0], gradient({3}, {5, Real(-0.001), 300});
  adam_step(step_number(1, 1), problem.parameters({gradient}, 0));
  const Real moves[] = {Real(-0.01), Real(0.01), Real(-0.01)};
  for (Index i = 0; i < 3; ++i)
    CHECK(problem.values[0].data()[i] - before.data()[i] == Approx(moves[i]).epsilon(1e-4));
}

TEST_CASE("sum of squares: over all tensors, in double, and nothing for those that are not defined") {
  CHECK(sum_of_squares({}) == 0);
  CHECK(sum_of_squares({Tensor({3}, {1, -2, 3}), Tensor(), Tensor::scalar(4), Tensor({0})}) == 30);
  // In float, 10⁸ + 1 would be 10⁸.
  CHECK(sum_of_squares({Tensor({2}, {10000, 1})}) == 100000001);
  CHECK(sum_of_squares({Tensor::full({1000, 100}, 3)}) == 900000);
}

TEST_CASE("optimizer: the bits are the same for 1, 2 and 4 threads") {
  check_same_bits_for_any_thread_count([] {
    const std::vector<Shape> shapes{{300, 301}, {7}, {20000}};
    Problem problem(shapes);
    const std::vector<Tensor> gradients = gradients_of_step(shapes, 1);
    adam_step(step_number(1, 1), problem.parameters(gradients, Real(0.01)));
    return std::vector<Tensor>{
        problem.values[0], problem.values[1], problem.values[2],
        problem.m[0],      problem.v[2],      Tensor::scalar(static_cast<Real>(sum_of_squares(gradients)))};
  });
}
