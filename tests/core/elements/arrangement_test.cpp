// Arrangement and reductions along axes, against loops over coordinates.
#include <gradual/core/elements/arrangement.hpp>

#include <cmath>
#include <limits>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/reductions.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;
using Numbers = std::vector<Real>;

namespace {

// Calls body(coordinates) for every element of a shape, row by row.
template <class Body>
void for_each_place(const Shape& shape, Body body) {
  std::vector<Index> at(static_cast<std::size_t>(shape.rank()), 0);
  for (Index i = 0; i < shape.size(); ++i) {
    body(at);
    for (Index axis = shape.rank() - 1; axis >= 0; --axis) {
      if (++at[static_cast<std::size_t>(axis)] < shape[axis]) break;
      at[static_cast<std::size_t>(axis)] = 0;
    }
  }
}

Index position(const Shape& shape, const std::vector<Index>& at) {
  Index result = 0;
  for (Index axis = 0; axis < shape.rank(); ++axis)
    result = result * shape[axis] + at[static_cast<std::size_t>(axis)];
  return result;
}

// x reduced over the axes by `combine`, starting from `start`.
template <class Combine>
Tensor reduced(const Tensor& x, const Axes& axes, double start, Combine combine) {
  Shape shape = x.shape();
  for (Index axis : axes) shape.set(axis, 1);
  std::vector<double> totals(static_cast<std::size_t>(shape.size()), start);
  for_each_place(x.shape(), [&](std::vector<Index> at) {
    const auto value = static_cast<double>(x.data()[position(x.shape(), at)]);
    for (Index axis : axes) at[static_cast<std::size_t>(axis)] = 0;
    double& total = totals[static_cast<std::size_t>(position(shape, at))];
    total = combine(total, value);
  });
  return Tensor(shape, Numbers(totals.begin(), totals.end()));
}

}  // namespace

TEST_CASE("sum and max: over every choice of axes") {
  const Tensor x = random_tensor({3, 4, 2, 5}, 1);
  for (int chosen = 1; chosen < 16; ++chosen) {
    Axes axes;
    for (Index axis = 3; axis >= 0; --axis)
      if (chosen & 1 << axis) axes.push_back(axis);
    INFO("axes " << Shape(axes));
    CHECK(difference(sum(x, axes, Axis::kept), reduced(x, axes, 0, [](double a, double b) { return a + b; }),
                     1e-6) == "");
    CHECK(same_bits(max(x, axes, Axis::kept),
                    reduced(x, axes, -1e30, [](double a, double b) { return std::max(a, b); })));
  }
  CHECK(same_bits(sum(x, {}), sum(x, {0, 1, 2, 3})));
  CHECK(same_bits(max(x, {}), max(x, {0, 1, 2, 3})));
  CHECK(same_bits(sum(x, {-1}), sum(x, {3})));
}

TEST_CASE("sum and max: of a scalar it is the scalar; a sum of nothing is 0") {
  CHECK(sum(Tensor::scalar(3), {}).item() == 3);
  CHECK(max(Tensor::scalar(3), {}).item() == 3);
  CHECK(sum(Tensor({0, 3}), {0}).to_vector() == Numbers{0, 0, 0});
  CHECK(sum(Tensor({2, 0}), {1}).to_vector() == Numbers{0, 0});
  CHECK(sum(Tensor({2, 0}), {}).item() == 0);
  CHECK(sum(Tensor({2, 0}), {0}).shape() == Shape{0});
}

TEST_CASE("sum: a million elements keep their digits, along rows and along columns") {
  const Tensor x = Tensor::full({1000, 1000}, Real(0.1));
  const double expected = 1e6 * static_cast<double>(Real(0.1));
  CHECK(sum(x, {}).item() == Approx(expected).epsilon(1e-7));
  CHECK(sum(x.with_shape({1000000, 1}), {0}).item() == Approx(expected).epsilon(1e-7));
  CHECK(column_sums(x.with_shape({500000, 2}), 2).data()[1] == Approx(expected / 2).epsilon(1e-6));
}

TEST_CASE("sum and max: axes that there are not or that are named twice are refused") {
  const Tensor x = Tensor::ones({2, 3});
  CHECK_THROWS_WITH(sum(x, {2}), "sum: no such axis: axis 2 of [2, 3]");
  CHECK_THROWS_WITH(sum(x, {0, -2}), "sum: each axis may be named once: x is [2, 3], axes are [0, 0]");
  CHECK_THROWS_WITH(max(Tensor({0, 3}), {0}), "max: there must be elements: x is [0, 3]");
}

TEST_CASE("column sums: of every width, against a naive sum") {
  for (Index width : {1, 2, 31, 32, 33, 100}) {
    const Tensor x = random_tensor({77, width}, 1);
    const Tensor expected = reduced(x, {0}, 0, [](double a, double b) { return a + b; }).with_shape({width});
    CHECK(difference(column_sums(x, width), expected, 1e-6) == "");
  }
  CHECK(column_sums(Tensor({0, 3}), 3).to_vector() == Numbers{0, 0, 0});
}

TEST_CASE("broadcast to: repeats along axes of size 1, and sum to adds up again") {
  const Tensor x = random_tensor({2, 1, 3}, 1);
  const Shape shape{4, 2, 5, 3};
  const Tensor repeated = broadcast_to(x, shape);
  REQUIRE(repeated.shape() == shape);
  bool equal = true;
  for_each_place(shape, [&](const std::vector<Index>& at) {
    equal = equal && repeated.data()[position(shape, at)] == x({at[1], 0, at[3]});
  });
  CHECK(equal);
  CHECK(difference(sum_to(repeated, x.shape()), x * Real(20), 1e-6) == "");
  CHECK(broadcast_to(x, x.shape()).shares_memory_with(x));
  CHECK(sum_to(x, x.shape()).shares_memory_with(x));
  CHECK(sum_to(Tensor::ones({1, 1, 3}), Shape{3}).shape() == Shape{3});
  CHECK(sum_to(Tensor::ones({2, 3}), Shape{}).item() == 6);
  CHECK(broadcast_to(Tensor({1, 3}), {0, 3}).shape() == Shape{0, 3});
  CHECK_THROWS_WITH(broadcast_to(x, {2, 5, 1}),
                    "broadcast_to: x must be repeatable to the shape: x is [2, 1, 3], shape is [2, 5, 1]");
}

TEST_CASE("transpose: every order of three axes puts each element in its place") {
  const Tensor x = random_tensor({2, 3, 4}, 1);
  for (const Axes& order :
       {Axes{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {-1, 0, -2}}) {
    const Tensor y = transpose(x, order);
    INFO("to " << y.shape());
    bool equal = true;
    for_each_place(y.shape(), [&](const std::vector<Index>& at) {
      std::vector<Index> from(3);
      for (std::size_t i = 0; i < 3; ++i)
        from[static_cast<std::size_t>(x.shape().normalized_axis(order[i]))] = at[i];
      equal = equal && y.data()[position(y.shape(), at)] == x.data()[position(x.shape(), from)];
    });
    CHECK(equal);
  }
  CHECK(transpose(Tensor::scalar(2), {}).item() == 2);
  CHECK(transpose(Tensor({0, 3}), {1, 0}).shape() == Shape{3, 0});
}

TEST_CASE("transpose: rows and columns that fill whole vectors, and some that do not, change places") {
  for (const Index rows : {4, 12, 16, 48, 52})
    for (const Index columns : {8, 16, 32, 33}) {
      Tensor x({rows, columns});
      for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = static_cast<Real>(i);
      const Tensor y = transpose(x, {1, 0});
      Index right = 0;
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) right += y({j, i}) == static_cast<Real>(i * columns + j);
      INFO(rows << " rows, " << columns << " columns");
      CHECK(right == x.size());
    }
}

TEST_CASE("transpose: orders that do not name each axis once are refused") {
  const Tensor x = Tensor::ones({2, 3});
  CHECK_THROWS_WITH(transpose(x, {0, 0}),
                    "transpose: the order must name each axis once: x is [2, 3], order is [0, 0]");
  CHECK_THROWS_AS(transpose(x, {0}), std::invalid_argument);
  CHECK_THROWS_AS(transpose(x, {}), std::invalid_argument);
  CHECK_THROWS_AS(transpose(Tensor::scalar(1), {0}), std::invalid_argument);
}

TEST_CASE("concat and slice: parts along each axis are joined, and cut out again") {
  for (Index axis : {0, 1, 2, -1}) {
    std::vector<Tensor> parts;
    for (Index size : {2, 0, 3}) {
      Shape shape{4, 3, 2};
      shape.set(axis, size);
      parts.push_back(random_tensor(shape, static_cast<std::uint64_t>(size)));
    }
    const Tensor joined = concat(parts, axis);
    CHECK(joined.dim(axis) == 5);
    CHECK(same_bits(slice(joined, axis, 0, 2), parts[0]));
    CHECK(same_bits(slice(joined, axis, 2, 2), parts[1]));
    CHECK(same_bits(slice(joined, axis, 2, 5), parts[2]));
  }
  CHECK(concat({Tensor({1, 2}, {1, 2}), Tensor({1, 2}, {3, 4})}, 1).to_vector() == Numbers{1, 2, 3, 4});
  CHECK(concat({Tensor({2, 1}, {1, 2}), Tensor({2, 1}, {3, 4})}, 1).to_vector() == Numbers{1, 3, 2, 4});
}

TEST_CASE("slice: along the first axis it is a view") {
  const Tensor x = Tensor::arange(6).with_shape({3, 2});
  CHECK(slice(x, 0, 1, 3).shares_memory_with(x));
  CHECK(slice(x, -1, 1, 2).to_vector() == Numbers{1, 3, 5});
}

TEST_CASE("concat and slice: what does not fit is refused") {
  const Tensor x = Tensor::ones({2, 3});
  CHECK_THROWS_WITH(concat({}, 0), "concat: there must be at least one part");
  CHECK_THROWS_WITH(concat({x, Tensor::ones({2, 4})}, 0),
                    "concat: sizes must be equal except along axis 0: [2, 3] and [2, 4]");
  CHECK_THROWS_AS(concat({x, Tensor::ones({2})}, 0), std::invalid_argument);
  CHECK_THROWS_AS(concat({x}, 2), std::invalid_argument);
  CHECK_THROWS_WITH(slice(x, 1, 2, 4), "slice: 0 <= first <= last <= size: 2 to 4 along axis 1 of [2, 3]");
  CHECK_THROWS_AS(slice(x, 1, -1, 2), std::invalid_argument);
  CHECK_THROWS_AS(slice(x, 1, 2, 1), std::invalid_argument);
}

TEST_CASE("add to slice: adds at its place only") {
  Tensor x = Tensor::zeros({2, 3});
  const Tensor copy = x;
  add_to_slice(x, Tensor({2, 2}, {1, 2, 3, 4}), 1, 1);
  add_to_slice(x, Tensor({1, 3}, {10, 10, 10}), 0, 1);
  CHECK(x.to_vector() == Numbers{0, 1, 2, 10, 13, 14});
  CHECK(copy.to_vector() == Numbers(6, 0));
}

TEST_CASE("gather: takes along an axis what the indices name, and its gradient adds up") {
  const Tensor x = random_tensor({2, 4, 3}, 1);
  const Indices at({2, 2, 3}, {0, 3, 1, 2, 2, 2, 3, 0, 0, 1, 1, 3});
  const Tensor y = gather(x, 1, at);
  CHECK(same_bits(gather(x, -2, at), y));
  Tensor expected = Tensor::zeros({2, 4, 3});
  bool equal = true;
  for_each_place(at.shape(), [&](const std::vector<Index>& p) {
    const Index row = at[position(at.shape(), p)];
    equal = equal && y({p[0], p[1], p[2]}) == x({p[0], row, p[2]});
    expected.mutable_data()[(p[0] * 4 + row) * 3 + p[2]] += y({p[0], p[1], p[2]});
  });
  CHECK(equal);
  Tensor gradient = Tensor::zeros({2, 4, 3});
  add_gathered(gradient, y, 1, at);
  CHECK(same_bits(gradient, expected));
}

TEST_CASE("gather: indices outside the axis, and shapes that do not fit, are refused") {
  const Tensor x = Tensor::ones({2, 3});
  CHECK_THROWS_WITH(gather(x, 1, Indices({2, 1}, {0, 3})), "gather: indices must lie in 0 … 2: got 3");
  CHECK_THROWS_WITH(gather(x, 1, Indices({2, 1}, {0, -1})), "gather: indices must lie in 0 … 2: got -1");
  CHECK_THROWS_WITH(gather(x, 1, Indices({3, 1}, {0, 0, 0})),
                    "gather: sizes must be equal except along axis 1: x is [2, 3], indices are [3, 1]");
  CHECK_THROWS_AS(gather(x, 1, Indices({2}, {0, 0})), std::invalid_argument);
}

TEST_CASE("take rows: gives the rows of a table, and its gradient adds up where a row was named twice") {
  const Tensor table({3, 2}, {1, 2, 3, 4, 5, 6});
  const Indices ids({2, 2}, {2, 0, 2, 1});
  CHECK(take_rows(table, ids).shape() == Shape{2, 2, 2});
  CHECK(take_rows(table, ids).to_vector() == Numbers{5, 6, 1, 2, 5, 6, 3, 4});
  CHECK(take_rows(table, Indices({0}, {})).shape() == Shape{0, 2});
  Tensor sums = Tensor::zeros({3, 2});
  add_to_rows(sums, Tensor({4, 2}, {1, 2, 10, 20, 100, 200, 7, 8}), ids);
  CHECK(sums.to_vector() == Numbers{10, 20, 7, 8, 101, 202});
  CHECK_THROWS_WITH(take_rows(table, Indices({1}, {3})), "embedding: indices must lie in 0 … 2: got 3");
  CHECK_THROWS_WITH(take_rows(Tensor({0, 2}), Indices({1}, {0})),
                    "embedding: there must be something to look up: got index 0");
  CHECK_THROWS_WITH(take_rows(table, Indices({1}, {-1})), "embedding: indices must lie in 0 … 2: got -1");
  CHECK_THROWS_WITH(take_rows(Tensor::ones({3}), ids), "embedding: the table must be [V, D]: it is [3]");
}

TEST_CASE("arrays: the bits are the same for 1, 2 and 4 threads") {
  check_same_bits_for_any_thread_count([] {
    const Tensor x = random_tensor({700, 129}, 1);
    std::vector<std::int32_t> ids(2000);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(i * 7 % 700);
    return std::vector<Tensor>{sum(x, {}),  sum(x, {0}),         sum(x, {1}),
                               max(x, {0}), column_sums(x, 129), take_rows(x, Indices({2000}, ids))};
  });
}

TEST_CASE("take rows, gather: every index is checked, behind the hundredth, too, and at both ends") {
  for (std::size_t place :
       {std::size_t(0), std::size_t(99), std::size_t(100), std::size_t(101), std::size_t(499)}) {
    for (std::int32_t wrong :
         {-1, 3, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
      std::vector<std::int32_t> ids(500, 2);
      ids[place] = wrong;
      INFO("index " << wrong << " at " << place);
      CHECK_THROWS_WITH(take_rows(Tensor::ones({3, 2}), Indices({500}, ids)),
                        "embedding: indices must lie in 0 … 2: got " + std::to_string(wrong));
      CHECK_THROWS_WITH(gather(Tensor::ones({3}), 0, Indices({500}, ids)),
                        "gather: indices must lie in 0 … 2: got " + std::to_string(wrong));
    }
  }
}
