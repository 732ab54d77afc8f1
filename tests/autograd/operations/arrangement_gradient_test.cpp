// Gradients of reductions and rearrangements against finite differences.
#include "support/operations.hpp"

using namespace gradual;

TEST_CASE("reductions: gradients match finite differences, over all axes or some") {
  const Tensor x = random_tensor({2, 3, 4}, 1);
  for (const Axes& axes : {Axes{}, Axes{0}, Axes{1}, Axes{-1}, Axes{0, 1}, Axes{2, 0}, Axes{0, 1, 2}}) {
    for (const Axis reduced : {Axis::dropped, Axis::kept}) {
      INFO(axes.size() << " axes");
      check_operation([&](const auto& in) { return sum(in[0], axes, reduced); }, {x});
      check_operation([&](const auto& in) { return mean(in[0], axes, reduced); }, {x});
      // Finite differences see the one-sided slope of each: only the largest element changes the maximum.
      check_operation([&](const auto& in) { return in[0] * in[0] + max(in[0], axes, Axis::kept); }, {x});
    }
  }
  check_operation([](const auto& in) { return sum(in[0]); }, {Tensor::scalar(2)});
}

TEST_CASE("arrangement: gradients match finite differences") {
  const Tensor x = random_tensor({2, 3, 4}, 1);
  check_operation([](const auto& in) { return reshape(in[0], {6, -1}); }, {x});
  check_operation([](const auto& in) { return transpose(in[0]); }, {x});
  check_operation([](const auto& in) { return transpose(in[0], {2, 0, 1}); }, {x});
  check_operation([](const auto& in) { return transpose(in[0], {-1, 0, -2}); }, {x});
  for (const Index axis : {0, 1, -1}) {
    INFO("axis " << axis);
    check_operation(
        [&](const auto& in) {
          return concat({in[0], in[1]}, axis);
        },
        {x, random_tensor({2, 3, 4}, 2)});
    // Elements outside the slice would count as unused.
    check_operation([&](const auto& in) { return sum(exp(slice(in[0], axis, 1, 2))) + sum(in[0] * in[0]); },
                    {x});
  }
  check_operation(
      [](const auto& in) {
        return concat({in[0], in[1], in[0]}, 1);
      },
      {x, random_tensor({2, 1, 4}, 2)});
}

TEST_CASE("slice: overlapping slices of one variable add up") {
  check_operation(
      [](const auto& in) { return slice(in[0], 1, 0, 3) * slice(in[0], 1, 1, 4) + slice(in[0], 1, 2, 5); },
      {random_tensor({2, 5}, 1)});
}

TEST_CASE("gather: gradients match finite differences, with repeated places along either axis") {
  const Tensor x = random_tensor({3, 4}, 1);
  const Indices along_first({2, 4}, {0, 1, 2, 0, 0, 2, 2, 1}), along_last({3, 2}, {3, 3, 0, 1, 2, 2});
  check_operation([&](const auto& in) { return in[0] * sum(gather(in[0], 0, along_first)); }, {x});
  check_operation([&](const auto& in) { return in[0] * sum(gather(in[0], 1, along_last)); }, {x});
}

TEST_CASE("embedding: gradients match finite differences, with repeated ids") {
  const Indices ids({2, 4}, {1, 0, 1, 2, 1, 3, 3, 0});
  check_operation([&](const auto& in) { return embedding(ids, in[0]); }, {random_tensor({4, 5}, 1)});
}
