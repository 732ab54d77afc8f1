#include <gradual/core/shape.hpp>

#include <limits>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("shape: rank, sizes and the number of elements") {
  const Shape shape{32, 10, 128};
  CHECK(shape.rank() == 3);
  CHECK(shape.size() == 32 * 10 * 128);
  CHECK(shape[0] == 32);
  CHECK(shape[2] == 128);
  CHECK(std::vector<Index>(shape.begin(), shape.end()) == std::vector<Index>{32, 10, 128});
  CHECK(Shape(std::vector<Index>{32, 10, 128}) == shape);
}

TEST_CASE("shape: a scalar has no axes and one element; an axis of size 0 leaves no elements") {
  CHECK(Shape{}.rank() == 0);
  CHECK(Shape{}.size() == 1);
  CHECK(Shape{3, 0, 2}.size() == 0);
}

TEST_CASE("shape: negative axes count from the end") {
  const Shape shape{2, 3, 4};
  CHECK(shape[-1] == 4);
  CHECK(shape[-3] == 2);
  CHECK(shape.normalized_axis(-1) == 2);
  CHECK(shape.normalized_axis(1) == 1);
}

TEST_CASE("shape: an axis that there is not is refused") {
  const Shape shape{2, 3};
  CHECK_THROWS_AS(shape[2], std::invalid_argument);
  CHECK_THROWS_WITH(shape[2], "shape: no such axis: axis 2 of [2, 3]");
  CHECK_THROWS_WITH(shape[-3], "shape: no such axis: axis -3 of [2, 3]");
  CHECK_THROWS_WITH(Shape{}[0], "shape: no such axis: axis 0 of []");
}

TEST_CASE("shape: sizes can be set and added") {
  Shape shape{2, 3};
  shape.set(-1, 7);
  shape.push_back(0);
  CHECK(shape == Shape{2, 7, 0});
  CHECK_THROWS_WITH(shape.set(3, 1), "shape: no such axis: axis 3 of [2, 7, 0]");
  CHECK_THROWS_WITH(shape.set(0, -1), "shape: sizes must not be negative: got -1");
  CHECK_THROWS_AS(shape.push_back(-1), std::invalid_argument);
  CHECK_THROWS_AS(shape.set(0, std::numeric_limits<Index>::max()), std::invalid_argument);
  CHECK(shape == Shape{2, 7, 0});  // what threw changed nothing
}

TEST_CASE("shape: negative sizes, and more than eight axes, are refused") {
  CHECK_THROWS_WITH((Shape{2, -3}), "shape: sizes must not be negative: got -3");
  Shape full{1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(full.rank() == Shape::max_rank);
  CHECK_THROWS_WITH(full.push_back(9), "shape: at most 8 axes: [1, 2, 3, 4, 5, 6, 7, 8] is full");
  CHECK(full == Shape{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("shape: more elements than an Index counts are refused, beside an axis of size 0, too") {
  const Index big = Index(1) << 32;
  CHECK(Shape{big, big / 4}.size() == Index(1) << 62);
  CHECK_THROWS_WITH((Shape{big, big / 2}), "shape: too many elements to count: [4294967296, 2147483648]");
  CHECK_THROWS_AS((Shape{0, big, big}), std::invalid_argument);
  Shape shape{big, 1};
  CHECK_THROWS_AS(shape.set(1, big), std::invalid_argument);
}

TEST_CASE("shape: some of the axes are a shape of their own") {
  const Shape shape{2, 3, 4, 5};
  CHECK(shape.slice(1, 3) == Shape{3, 4});
  CHECK(shape.slice(2, 2) == Shape{});
  CHECK(shape.slice(0, 4) == shape);
  const char* const rule = "a slice must be 0 <= first <= last <= number of axes";
  CHECK_THROWS_WITH(shape.slice(3, 2), Contains(rule));
  CHECK_THROWS_WITH(shape.slice(0, 5), Contains(rule));
  CHECK_THROWS_WITH(shape.slice(-1, 2), Contains(rule));
}

TEST_CASE("shape: strides are products of the sizes behind an axis") {
  CHECK(Shape{2, 3, 4}.strides() == std::vector<Index>{12, 4, 1});
  CHECK(Shape{}.strides().empty());
}

TEST_CASE("shape: shapes are equal when all sizes are") {
  CHECK(Shape{2, 3} == Shape{2, 3});
  CHECK(Shape{2, 3} != Shape{3, 2});
  CHECK(Shape{2, 3} != Shape{2, 3, 1});
  CHECK(Shape{} != Shape{1});
}

TEST_CASE("shape: prints as sizes in brackets") {
  CHECK(text(Shape{32, 10, 128}) == "[32, 10, 128]");
  CHECK(Shape{}.to_string() == "[]");
}

TEST_CASE("shape: shapes broadcast from the last axis on, where sizes are equal or 1") {
  CHECK(broadcast_shapes("add", Shape{2, 3}, Shape{2, 3}) == Shape{2, 3});
  CHECK(broadcast_shapes("add", Shape{2, 3}, Shape{3}) == Shape{2, 3});
  CHECK(broadcast_shapes("add", Shape{3}, Shape{2, 3}) == Shape{2, 3});
  CHECK(broadcast_shapes("add", Shape{4, 1, 3}, Shape{2, 1}) == Shape{4, 2, 3});
  CHECK(broadcast_shapes("add", Shape{}, Shape{2, 3}) == Shape{2, 3});
  CHECK(broadcast_shapes("add", Shape{1}, Shape{0}) == Shape{0});
  CHECK(broadcast_shapes("add", Shape{2, 0}, Shape{1}) == Shape{2, 0});
}

TEST_CASE("shape: shapes that do not broadcast are named with the operation") {
  CHECK_THROWS_AS(broadcast_shapes("add", Shape{2, 3}, Shape{2}), std::invalid_argument);
  CHECK_THROWS_WITH(
      broadcast_shapes("add", Shape{2, 3}, Shape{2}),
      "add: shapes must be equal or 1 along each axis, counted from the last: a is [2, 3], b is [2]");
  CHECK_THROWS_AS(broadcast_shapes("add", Shape{2}, Shape{0}), std::invalid_argument);
}
