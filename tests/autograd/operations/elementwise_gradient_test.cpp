// Gradients of arithmetic and of functions, element by element, against finite differences.
#include "support/operations.hpp"

using namespace gradual;

TEST_CASE("arithmetic: gradients match finite differences, for all ways to broadcast") {
  const std::vector<std::pair<Shape, Shape>> shapes{
      {{2, 3}, {2, 3}}, {{2, 3}, {3}},          {{3}, {2, 3}}, {{2, 3}, {2, 1}}, {{2, 3}, {1, 3}},
      {{2, 1}, {1, 3}}, {{2, 2, 3}, {2, 1, 3}}, {{2, 3}, {}},  {{}, {2, 3}},     {{2, 3}, {1}}};
  for (const auto& [left, right] : shapes) {
    INFO(left << " with " << right);
    const std::vector<Tensor> inputs{random_tensor(left, 1, 0.5, 2), random_tensor(right, 2, 0.5, 2)};
    check_operation([](const auto& x) { return x[0] + x[1]; }, inputs);
    check_operation([](const auto& x) { return x[0] - x[1]; }, inputs);
    check_operation([](const auto& x) { return x[0] * x[1]; }, inputs);
    check_operation([](const auto& x) { return x[0] / x[1]; }, inputs);
  }
}

TEST_CASE("arithmetic: gradients with numbers match finite differences") {
  const Tensor x = random_tensor({2, 3}, 1);
  check_operation([](const auto& in) { return -in[0]; }, {x});
  check_operation([](const auto& in) { return in[0] * Real(3); }, {x});
  check_operation([](const auto& in) { return Real(3) * in[0]; }, {x});
  check_operation([](const auto& in) { return in[0] / Real(3); }, {x});
  check_operation([](const auto& in) { return exp(in[0] + Real(0.5)) - Real(2); }, {x});
}

TEST_CASE("functions: gradients match finite differences") {
  const Tensor x = random_tensor({3, 17}, 1, -3, 3);
  check_operation([](const auto& in) { return exp(in[0]); }, {x});
  check_operation([](const auto& in) { return tanh(in[0]); }, {x});
  check_operation([](const auto& in) { return sigmoid(in[0]); }, {x});
  check_operation([](const auto& in) { return relu(in[0]); }, {x});
  check_operation([](const auto& in) { return gelu(in[0]); }, {x});
  check_operation([](const auto& in) { return pow(in[0], 2); }, {x});
  check_operation([](const auto& in) { return pow(in[0], 3); }, {x});
  const Tensor positive = random_tensor({3, 17}, 2, 0.5, 3);
  check_operation([](const auto& in) { return log(in[0]); }, {positive});
  check_operation([](const auto& in) { return sqrt(in[0]); }, {positive});
  check_operation([](const auto& in) { return pow(in[0], Real(-1.5)); }, {positive});
}

TEST_CASE("where: gradients match finite differences") {
  const Tensor condition({2, 3}, {1, 0, 0, 1, 1, 0});
  check_operation([&](const auto& x) { return where(condition, x[0], x[1]); },
                  {random_tensor({2, 3}, 1), random_tensor({2, 3}, 2)});
}

TEST_CASE("dropout: gradients under a fixed mask match finite differences, also fused with its neighbours") {
  const DropoutMask mask(0.4, 7);
  const Tensor x = random_tensor({5, 7}, 1), y = random_tensor({5, 7}, 2);
  check_operation([&](const auto& in) { return add_dropped(in[0], in[1], mask); }, {x, y});
  check_operation([&](const auto& in) { return add_dropped(in[0], in[1], {}); }, {x, y});
  // What is dropped everywhere would count as unused, so x is added to what is dropped.
  check_operation([&](const auto& in) { return in[0] * in[0] + dropout(in[0], mask); }, {x});
  check_operation([&](const auto& in) { return in[0] * in[0] + relu_dropped(in[0], mask); }, {x});
}
