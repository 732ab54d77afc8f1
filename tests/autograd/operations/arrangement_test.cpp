// Rearrangements: values by hand, where gradients go, and what is refused.
#include <gradual/autograd/operations.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/variables.hpp"

using namespace gradual;

namespace {

const Tensor one_to_six({2, 3}, {1, 2, 3, 4, 5, 6});

}  // namespace

TEST_CASE("reshape: keeps the numbers, works out one size, and turns the gradient back") {
  const Var x = Var::parameter(one_to_six);
  check(reshape(x, {3, 2}).value(), {3, 2}, {1, 2, 3, 4, 5, 6});
  const Var y = reshape(x, {-1});
  CHECK(y.value().shares_memory_with(x.value()));
  backward(y, Tensor({6}, {1, 2, 3, 4, 5, 6}));
  check(x.grad(), {2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK_THROWS_AS(reshape(x, {4, 2}), std::invalid_argument);
  CHECK_THROWS_WITH(reshape(x, {4, 2}),
                    "reshape: the number of elements must stay: [2, 3] has 6, [4, 2] has 8");
  CHECK_THROWS_AS(reshape(x, {4, -1}), std::invalid_argument);
}

TEST_CASE("transpose: swaps the last two axes, or takes any order") {
  const Var x = Var::parameter(one_to_six);
  const Var y = transpose(x);
  check(y.value(), {3, 2}, {1, 4, 2, 5, 3, 6});
  backward(y, Tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  check(x.grad(), {2, 3}, {1, 3, 5, 2, 4, 6});

  const Var box = Tensor({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  check(transpose(box, {2, 0, 1}).value(), {3, 2, 1}, {1, 4, 2, 5, 3, 6});
  check(transpose(box).value(), {2, 3, 1}, {1, 2, 3, 4, 5, 6});
  check(transpose(Var(Tensor({2}, {1, 2}))).value(), {2}, {1, 2});
}

TEST_CASE("transpose: an order that does not name each axis once is refused") {
  const Var x = one_to_six;
  CHECK_THROWS_AS(transpose(x, {0, 0}), std::invalid_argument);
  CHECK_THROWS_WITH(transpose(x, {0}),
                    "transpose: the order must name each axis once: x is [2, 3], order is [0]");
  CHECK_THROWS_WITH(transpose(x, {1, -1}),
                    "transpose: the order must name each axis once: x is [2, 3], order is [1, 1]");
  CHECK_THROWS_WITH(transpose(x, {0, 2}), "transpose: no such axis: axis 2 of [2, 3]");
}

TEST_CASE("concat: joins along an axis and splits the gradient") {
  const Var a = Var::parameter(one_to_six), b = Var::parameter(Tensor({2, 1}, {7, 8}));
  const Var y = concat({a, b}, -1);
  check(y.value(), {2, 4}, {1, 2, 3, 7, 4, 5, 6, 8});
  backward(y, Tensor({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}));
  check(a.grad(), {2, 3}, {1, 2, 3, 5, 6, 7});
  check(b.grad(), {2, 1}, {4, 8});
  check(concat({Var(one_to_six), Var(Tensor({1, 3}, {7, 8, 9}))}, 0).value(), {3, 3},
        {1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("concat: the same variable twice, a constant in between") {
  const Var a = Var::parameter(Tensor({1}, {1})), constant = Tensor({1}, {2});
  const Var y = concat({a, constant, a}, 0);
  check(y.value(), {3}, {1, 2, 1});
  backward(y, Tensor({3}, {10, 20, 30}));
  CHECK(a.grad().item() == 40);
}

TEST_CASE("concat: parts that do not fit are refused") {
  const Var a = one_to_six, b = Tensor::zeros({3, 3}), c = Tensor::zeros({3});
  CHECK_THROWS_AS(concat({a, b}, 1), std::invalid_argument);
  CHECK_THROWS_WITH(concat({a, b}, 1), "concat: sizes must be equal except along axis 1: [2, 3] and [3, 3]");
  CHECK_THROWS_WITH(concat({a, c}, 0), "concat: sizes must be equal except along axis 0: [2, 3] and [3]");
  CHECK_THROWS_WITH(concat(std::vector<Var>{}, 0), "concat: there must be at least one part");
}

TEST_CASE("slice: takes a range along an axis; the rest gets no gradient") {
  const Var x = Var::parameter(one_to_six);
  check(slice(x, 0, 1, 2).value(), {1, 3}, {4, 5, 6});
  const Var y = slice(x, 1, 1, 3);
  check(y.value(), {2, 2}, {2, 3, 5, 6});
  backward(y, Tensor({2, 2}, {1, 2, 3, 4}));
  check(x.grad(), {2, 3}, {0, 1, 2, 0, 3, 4});
  check(slice(x, -1, 1, 1).value(), {2, 0}, {});
}

TEST_CASE("slice: the gradient of a slice does not write into a gradient that others hold") {
  const Var x = Var::parameter(one_to_six);
  const Var whole = x + Real(0);
  const Tensor seed = Tensor::ones({2, 3});
  backward(sum(slice(x, 0, 0, 1)) + sum(whole * Var(seed)));
  check(x.grad(), {2, 3}, {2, 2, 2, 1, 1, 1});
  check(seed, {2, 3}, {1, 1, 1, 1, 1, 1});
}

TEST_CASE("slice: ranges outside the axis are refused") {
  const Var x = one_to_six;
  CHECK_THROWS_AS(slice(x, 1, 2, 4), std::invalid_argument);
  CHECK_THROWS_WITH(slice(x, 1, 2, 4), "slice: 0 <= first <= last <= size: 2 to 4 along axis 1 of [2, 3]");
  CHECK_THROWS_WITH(slice(x, 0, -1, 1), "slice: 0 <= first <= last <= size: -1 to 1 along axis 0 of [2, 3]");
  CHECK_THROWS_WITH(slice(x, 1, 2, 1), "slice: 0 <= first <= last <= size: 2 to 1 along axis 1 of [2, 3]");
}

TEST_CASE("gather: picks along an axis; an element that is picked twice gets both gradients") {
  const Var x = Var::parameter(one_to_six);
  const Var y = gather(x, 1, Indices({2, 2}, {2, 2, 0, 1}));
  check(y.value(), {2, 2}, {3, 3, 4, 5});
  backward(y, Tensor({2, 2}, {1, 2, 3, 4}));
  check(x.grad(), {2, 3}, {0, 0, 3, 3, 4, 0});
  check(gather(x, 0, Indices({1, 3}, {1, 0, 1})).value(), {1, 3}, {4, 2, 6});
}

TEST_CASE("gather: indices outside the axis and shapes that do not fit are refused") {
  const Var x = one_to_six;
  CHECK_THROWS_AS(gather(x, 1, Indices({2, 1}, {0, 3})), std::invalid_argument);
  CHECK_THROWS_WITH(gather(x, 1, Indices({2, 1}, {0, 3})), "gather: indices must lie in 0 … 2: got 3");
  CHECK_THROWS_WITH(gather(x, 1, Indices({2, 1}, {-1, 0})), "gather: indices must lie in 0 … 2: got -1");
  CHECK_THROWS_WITH(gather(x, 1, Indices({1, 2}, {0, 0})),
                    "gather: sizes must be equal except along axis 1: x is [2, 3], indices are [1, 2]");
}

TEST_CASE("embedding: takes rows; a word that occurs twice gets both gradients, others none") {
  const Var table = Var::parameter(Tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  const Var y = embedding(Indices({1, 3}, {2, 0, 2}), table);
  check(y.value(), {1, 3, 2}, {5, 6, 1, 2, 5, 6});
  backward(y, Tensor({1, 3, 2}, {1, 2, 3, 4, 5, 6}));
  check(table.grad(), {3, 2}, {3, 4, 0, 0, 6, 8});
}

TEST_CASE("embedding: ids outside the table and tables that are no matrix are refused") {
  const Var table = Tensor::zeros({3, 2});
  CHECK_THROWS_AS(embedding(Indices({1}, {3}), table), std::invalid_argument);
  CHECK_THROWS_WITH(embedding(Indices({1}, {3}), table), "embedding: indices must lie in 0 … 2: got 3");
  CHECK_THROWS_WITH(embedding(Indices({1}, {-1}), table), "embedding: indices must lie in 0 … 2: got -1");
  CHECK_THROWS_WITH(embedding(Indices({1}, {0}), Var(Tensor::zeros({3}))),
                    "embedding: the table must be [V, D]: it is [3]");
}
