// Broadcasting, reductions and arrangement against their plain versions in xtensor, over a thousand random
// shapes each: sizes 0 and 1, odd widths, any axes, forward and backward.
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/reference/elements.hpp>

#include <numeric>

#include "support/random_cases.hpp"

using namespace gradual;
using reference::Array;
using reference::array_of;

namespace {

constexpr int cases = 1000;
constexpr double one_unit = 2, summed = 8;  // units in the last place

Shape random_shape(RandomCase& random, Index most_axes, Index most) {
  Shape shape;
  for (Index axes = random.from(0, most_axes); axes > 0; --axes) shape.push_back(random.size(most));
  return shape;
}

// A shape that is repeatable to another: some axes are 1, some leading ones missing.
Shape random_part(RandomCase& random, const Shape& whole) {
  Shape part;
  for (const Index size : whole.slice(random.chance() ? 0 : random.from(0, whole.rank()), whole.rank()))
    part.push_back(random.chance(0.4) ? 1 : size);
  return part;
}

Axes random_axes(RandomCase& random, const Shape& shape) {
  Axes axes;
  for (Index axis = 0; axis < shape.rank(); ++axis)
    if (random.chance()) axes.push_back(axis);
  if (axes.empty()) {
    axes.resize(static_cast<std::size_t>(shape.rank()));
    std::iota(axes.begin(), axes.end(), Index(0));
  }
  return axes;
}

// Many narrow axes, two wide ones, or three that are wider than a tile of 16.
Shape some_shape(RandomCase& random) {
  if (random.chance(0.6)) return random_shape(random, 5, 6);
  return random.chance(0.6) ? random_shape(random, 2, 90) : random_shape(random, 3, 24);
}

}  // namespace

TEST_CASE("elements: broadcasting and its derivative equal the plain version") {
  for_random_cases(cases, [](RandomCase& random) {
    const Shape whole = some_shape(random), left = random_part(random, whole),
                right = random_part(random, whole);
    INFO(left << " with " << right);
    const Tensor a = random.numbers(left), b = random.numbers(right, 0.5, 2);
    const Array x = array_of(a), y = array_of(b);
    const Tensor dy = random.numbers(broadcast_shapes("test", left, right));
    const Array d = array_of(dy);
    const auto check = [&](const Operation& ours, const Array& value, const Array& da, const Array& db) {
      INFO(ours.name);
      CHECK(departure(ours.value, value, one_unit) == "");
      CHECK(departure(ours.da(dy), reference::sum_to(da, left), summed, 4 * magnitude(da)) == "");
      CHECK(departure(ours.db(dy), reference::sum_to(db, right), summed, 4 * magnitude(db)) == "");
    };
    const Array zero = d * 0;
    check(add_operation(a, b), x + y, d, d);
    check(subtract_operation(a, b), x - y, d, -d);
    check(multiply_operation(a, b), x * y, d * y, d * x);
    check(divide_operation(a, b), x / y, d / y, -d * x / y / y);
    const Array larger = xt::cast<double>(x > y), smaller = xt::cast<double>(x < y);
    check(maximum_operation(a, b), xt::maximum(x, y), d * larger, d * (1 - larger));
    check(minimum_operation(a, b), xt::minimum(x, y), d * smaller, d * (1 - smaller));
    const Tensor condition = random.numbers(random_part(random, dy.shape())) > 0;
    const Array c = array_of(condition);
    check(where_operation(condition, a, b), xt::where(c > 0, x + 0 * y, y + 0 * x), d * c, d * (1 - c));
    CHECK(departure(less(a, b), smaller, 0) == "");
    CHECK(departure(b >= a, 1 - larger, 0) == "");
    CHECK(departure(is_equal(a, b), xt::cast<double>(xt::equal(x + 0 * y, y + 0 * x)), 0) == "");
    CHECK(departure(broadcast_to(a, dy.shape()), x + 0 * d, 0) == "");
  });
}

TEST_CASE("elements: reductions and their derivatives equal the plain version, over any axes") {
  for_random_cases(cases, [](RandomCase& random) {
    const Shape shape = some_shape(random);
    const Axes axes = random_axes(random, shape);
    INFO(shape << " over " << Shape(axes));
    const Tensor x = random.numbers(shape);
    const Array plain = array_of(x);
    const Operation sums = sum_operation(x, axes, Axis::kept);
    const Tensor dy = random.numbers(sums.value.shape());
    const Array d = array_of(dy);
    CHECK(departure(sums.value, reference::sum(plain, axes), summed, 2) == "");
    CHECK(departure(sums.da(dy), d + 0 * plain, 0) == "");
    double count = 1;
    for (const Index axis : axes) count *= static_cast<double>(shape[axis]);
    if (count == 0 && dy.size() > 0) {
      CHECK_THROWS_AS(mean(x, axes), std::invalid_argument);
      CHECK_THROWS_AS(max(x, axes), std::invalid_argument);
      CHECK_THROWS_AS(variance(x, axes), std::invalid_argument);
      return;
    }
    const Operation means = mean_operation(x, axes, Axis::kept),
                    spread = variance_operation(x, axes, Axis::kept);
    if (x.size() == 0) {
      CHECK(means.da(dy).shape() == shape);
      CHECK(max_operation(x, axes, Axis::kept).da(dy).shape() == shape);
      return;
    }
    CHECK(departure(means.value, reference::sum(plain, axes) / count, summed, 1) == "");
    CHECK(departure(means.da(dy), d / count + 0 * plain, one_unit) == "");
    CHECK(departure(spread.value, reference::variance(plain, axes), summed, 1) == "");
    CHECK(departure(spread.da(dy), reference::variance_backward(plain, axes, d), summed, 2) == "");
    const Tensor coarse = where(x > 1, 1, where(x < -1, -1, x));  // with ties
    const Array ties = array_of(coarse);
    const Operation largest = max_operation(coarse, axes, Axis::kept),
                    smallest = min_operation(-coarse, axes, Axis::kept);
    CHECK(departure(largest.value, reference::max(ties, axes), 0) == "");
    CHECK(departure(largest.da(dy), reference::max_backward(ties, axes, d), one_unit) == "");
    CHECK(departure(smallest.value, -reference::max(ties, axes), 0) == "");
    CHECK(departure(smallest.da(dy), reference::max_backward(ties, axes, d), one_unit) == "");
    CHECK(sum(x, axes).shape() == max(x, axes).shape());
  });
}

TEST_CASE("elements: running sums and their derivatives equal the plain version, along any axis") {
  for_random_cases(cases, [](RandomCase& random) {
    Shape shape = some_shape(random);
    if (shape.rank() == 0) shape = Shape{random.size(50)};
    const Index axis = random.from(0, shape.rank() - 1);
    INFO(shape << " along " << axis);
    const Tensor x = random.numbers(shape), dy = random.numbers(shape);
    const Operation ours = cumsum_operation(x, axis);
    if (x.size() == 0) {
      CHECK(ours.da(dy).shape() == shape);
      return;
    }
    CHECK(departure(ours.value, reference::cumsum(array_of(x), axis), one_unit, 2) == "");
    CHECK(departure(ours.da(dy), reference::cumsum_backward(array_of(dy), axis), one_unit, 2) == "");
  });
}

TEST_CASE("elements: sums of columns and of products equal the plain version, over any axes") {
  for_random_cases(cases, [](RandomCase& random) {
    const Shape shape = some_shape(random), part = random_part(random, shape);
    const Axes axes = random_axes(random, shape);
    INFO(shape << " over " << Shape(axes) << " and to " << part);
    Tensor a = random.numbers(shape);
    const Tensor b = random.numbers(shape);
    if (random.chance()) a.mutable_data();  // copies of it have numbers of their own
    const Array products = array_of(a) * array_of(b);
    CHECK(departure(sum_products(a, b, axes), reference::sum(products, axes), summed, 4) == "");
    CHECK(departure(sum_products_to(a, b, part), reference::sum_to(products, part), summed, 4) == "");
    const Index rows = random.size(300), width = random.size(150);
    INFO(rows << " rows of " << width);
    const Tensor x = random.numbers({rows, width});
    const Array sums = xt::sum(array_of(x), {0});
    CHECK(departure(column_sums(x, width), sums, summed, 16) == "");  // 64 numbers are added in float
  });
}

TEST_CASE("elements: rows of a table equal the plain version, and what is added to them") {
  for_random_cases(cases, [](RandomCase& random) {
    const Shape shape{random.some(30), random.size(90)};
    const Indices ids = random.whole(random_shape(random, 3, 6), 0, shape[0] - 1);
    INFO(ids.shape() << " of " << shape);
    const Tensor table = random.numbers(shape);
    const Array plain = array_of(table);
    const Tensor rows = take_rows(table, ids);
    CHECK(departure(rows, reference::take_rows(plain, ids), 0) == "");
    const Tensor dy = random.numbers(rows.shape());
    Tensor d_table = Tensor::zeros(shape);
    add_to_rows(d_table, dy, ids);
    CHECK(departure(d_table, reference::take_rows_backward(plain, ids, array_of(dy)), summed, 2) == "");
  });
}

TEST_CASE("elements: transposing equals the plain version, in any order and width") {
  for_random_cases(cases, [](RandomCase& random) {
    const Shape shape = some_shape(random);
    Axes order(static_cast<std::size_t>(shape.rank()));
    std::iota(order.begin(), order.end(), Index(0));
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(random.from(0, static_cast<Index>(i) - 1))]);
    INFO(shape << " in the order " << Shape(order));
    const Tensor x = random.numbers(shape);
    const Operation ours = transpose_operation(x, order);
    CHECK(departure(ours.value, reference::transpose(array_of(x), order), 0) == "");
    CHECK(departure(ours.da(ours.value), array_of(x), 0) == "");
  });
}

TEST_CASE("elements: what is cut, joined and looked up equals the plain version") {
  for_random_cases(cases, [](RandomCase& random) {
    const Shape shape{random.size(7), random.size(7), random.size(40)};
    const Index axis = random.from(0, 2), size = shape[axis];
    const Index cut = random.from(0, size), end = random.from(cut, size);
    INFO(shape << " along " << axis << " at " << cut << " and " << end);
    const Tensor x = random.numbers(shape);
    const Array plain = array_of(x);
    const std::vector<Tensor> parts = split(x, {cut, end - cut, size - end}, axis);
    CHECK(departure(concat(parts, axis), plain, 0) == "");
    if (x.size() == 0) return;
    CHECK(departure(parts[1], reference::slice(plain, axis, cut, end), 0) == "");
    Tensor rest = x;
    add_to_slice(rest, -parts[1], axis, cut);
    CHECK(departure(slice(rest, axis, cut, end), 0 * reference::slice(plain, axis, cut, end), 0) == "");
    CHECK(departure(slice(rest, axis, end, size), reference::slice(plain, axis, end, size), 0) == "");

    Shape taken = shape;
    taken.set(axis, random.size(5));
    const Indices ids = random.whole(taken, 0, size - 1);
    const Tensor dy = random.numbers(taken);
    Tensor gathered = Tensor::zeros(shape);
    add_gathered(gathered, dy, axis, ids);
    CHECK(departure(gather(x, axis, ids), reference::gather(plain, axis, ids), 0) == "");
    CHECK(departure(gathered, reference::gather_backward(plain, axis, ids, array_of(dy)), one_unit, 2) == "");
    CHECK(departure(stack({x, x + 1}, 1),
                    array_of(concat({x.reshaped({shape[0], 1, shape[1], -1}),
                                     (x + 1).reshaped({shape[0], 1, shape[1], -1})},
                                    1)),
                    0) == "");
  });
}
