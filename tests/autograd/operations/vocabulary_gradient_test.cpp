// Gradients of functions, comparisons' choices, reductions and arrangements against finite differences.
#include "support/operations.hpp"

using namespace gradual;

TEST_CASE("functions: gradients match finite differences, away from corners") {
  const Tensor x = random_tensor({3, 17}, 1, -3, 3), positive = random_tensor({3, 17}, 2, 0.5, 3);
  check_operation([](const auto& in) { return abs(in[0]); }, {x});
  check_operation([](const auto& in) { return sin(in[0]); }, {x});
  check_operation([](const auto& in) { return cos(in[0]); }, {x});
  check_operation([](const auto& in) { return softplus(in[0]); }, {x});
  check_operation([](const auto& in) { return silu(in[0]); }, {x});
  check_operation([](const auto& in) { return elu(in[0]); }, {x});
  check_operation([](const auto& in) { return leaky_relu(in[0], Real(0.1)); }, {x});
  check_operation([](const auto& in) { return clip(in[0], -1, Real(0.5)); }, {x});
  check_operation([](const auto& in) { return log1p(in[0]); }, {positive});
  check_operation([](const auto& in) { return pow(in[0], 1); }, {x});
  check_operation([](const auto& in) { return pow(in[0], -2); }, {positive});
}

TEST_CASE("arithmetic: gradients of numbers before and after, and of assignments, match finite differences") {
  const Tensor x = random_tensor({2, 3}, 1, 0.5, 2);
  check_operation([](const auto& in) { return 1 - in[0]; }, {x});
  check_operation([](const auto& in) { return 1 / in[0]; }, {x});
  check_operation([](const auto& in) { return 2 + in[0] * in[0]; }, {x});
  check_operation(
      [](const auto& in) {
        Var y = in[0];
        y += in[1];
        y *= y;
        y /= in[1];
        y -= 3;
        return y;
      },
      {x, random_tensor({2, 1}, 2, 0.5, 2)});
}

TEST_CASE("maximum, minimum and where: gradients match finite differences for all ways to broadcast") {
  const Tensor condition({2, 3}, {1, 0, 0, 1, 1, 0});
  const std::vector<std::pair<Shape, Shape>> shapes{
      {{2, 3}, {2, 3}}, {{2, 3}, {3}}, {{2, 1}, {2, 3}}, {{}, {2, 3}}};
  for (const auto& [left, right] : shapes) {
    INFO(left << " with " << right);
    const std::vector<Tensor> inputs{random_tensor(left, 1), random_tensor(right, 2)};
    check_operation([](const auto& x) { return maximum(x[0], x[1]) + x[0] * x[1]; }, inputs);
    check_operation([](const auto& x) { return minimum(x[0], x[1]) + x[0] * x[1]; }, inputs);
    check_operation([&](const auto& x) { return where(condition, x[0], x[1]) + x[0] * x[1]; }, inputs);
  }
  check_operation([](const auto& x) { return where(x[0] > 0, x[0] * x[0], 0); }, {random_tensor({4, 5}, 3)});
}

TEST_CASE("reductions: gradients of min, variance and cumsum match finite differences over any axes") {
  const Tensor x = random_tensor({2, 3, 4}, 1);
  for (const Axes& axes : {Axes{}, Axes{0}, Axes{1}, Axes{-1}, Axes{0, 2}}) {
    for (const Axis reduced : {Axis::dropped, Axis::kept}) {
      check_operation([&](const auto& in) { return min(in[0], axes, reduced) + 0 * sum(in[0]); }, {x});
      check_operation([&](const auto& in) { return variance(in[0], axes, reduced); }, {x});
    }
  }
  for (const Index axis : {0, 1, 2, -1})
    check_operation([&](const auto& in) { return cumsum(in[0], axis); }, {x});
}

TEST_CASE("reductions: what they add to the gradients that are there already matches finite differences") {
  // The square comes last, so that backward meets it first.
  const auto check = [](auto reduction) {
    check_operation(
        [&](const auto& in) {
          const Var reduced = reduction(in[0]);
          return reduced + sum(in[0] * in[0]);
        },
        {random_tensor({2, 3, 4}, 1)});
  };
  for (const Axes& axes : {Axes{}, Axes{0}, Axes{1}, Axes{-1}, Axes{0, 2}, Axes{1, 2}}) {
    check([&](const Var& x) { return sum(x, axes); });
    check([&](const Var& x) { return mean(x, axes); });
    check([&](const Var& x) { return variance(x, axes); });
  }
}

TEST_CASE("arrangement: gradients of stack, split and single rows match finite differences") {
  const Tensor a = random_tensor({2, 3}, 1), b = random_tensor({2, 3}, 2);
  for (const Index axis : {0, 1, 2, -1})
    check_operation([&](const auto& x) { return stack({x[0], exp(x[1])}, axis); }, {a, b});
  check_operation(
      [](const auto& x) {
        const std::vector<Var> parts = split(x[0], {1, 0, 3}, 1);
        return sum(parts[0] * parts[2]) + sum(parts[1]);
      },
      {random_tensor({3, 4}, 3)});
  check_operation([](const auto& x) { return x[0][1] * x[0][-1] + x[0][0]; }, {random_tensor({3, 4}, 4)});
}

TEST_CASE("einsum: gradients match finite differences") {
  const auto check = [](const char* pattern, const Shape& a, const Shape& b) {
    INFO(pattern);
    check_operation([&](const auto& x) { return einsum(pattern, x[0], x[1]); },
                    {random_tensor(a, 1), random_tensor(b, 2)});
  };
  check("ij,jk->ik", {2, 3}, {3, 4});
  check("bthd,bshd->bhts", {2, 3, 2, 4}, {2, 5, 2, 4});
  check("i,j->ij", {3}, {4});
  check("ij,ij->", {2, 3}, {2, 3});
  check("ijk,k->j", {2, 3, 4}, {4});
  check("ij,kl->ki", {2, 3}, {4, 2});
}
