#include <gradual/core/tensor.hpp>

#include <atomic>
#include <thread>

#include <gradual/core/error.hpp>
#include <gradual/core/indices.hpp>
#include <gradual/core/xtensor.hpp>

#include "support/catch.hpp"

using namespace gradual;
using Numbers = std::vector<Real>;

namespace {

Tensor six() { return Tensor({2, 3}, {1, 2, 3, 4, 5, 6}); }

}  // namespace

TEST_CASE("tensor: holds the given numbers row by row") {
  const Tensor x = six();
  CHECK(x.shape() == Shape{2, 3});
  CHECK(x.rank() == 2);
  CHECK(x.size() == 6);
  CHECK(x.dim(-1) == 3);
  CHECK(x({0, 2}) == 3);
  CHECK(x({1, 0}) == 4);
  CHECK(x.to_vector() == Numbers{1, 2, 3, 4, 5, 6});
}

TEST_CASE("tensor: too few or too many numbers for the shape are refused") {
  CHECK_THROWS_AS(Tensor({2, 3}, {1, 2}), std::invalid_argument);
  CHECK_THROWS_WITH(Tensor({2, 3}, {1, 2}), "tensor: one number for each element: shape [2, 3] has 6, got 2");
}

TEST_CASE("tensor: full, zeros, ones, scalar and arange") {
  CHECK(Tensor::full({2, 2}, 7).to_vector() == Numbers{7, 7, 7, 7});
  CHECK(Tensor::zeros({3}).to_vector() == Numbers{0, 0, 0});
  CHECK(Tensor::ones({1, 2}).to_vector() == Numbers{1, 1});
  CHECK(Tensor::scalar(5).rank() == 0);
  CHECK(Tensor::scalar(5).item() == 5);
  CHECK(Tensor::arange(4).to_vector() == Numbers{0, 1, 2, 3});
  CHECK(Tensor::arange(0).size() == 0);
  const Index beyond = 16777218;  // 2²⁴ + 1 is no float, this one is
  CHECK(Tensor::arange(beyond + 1)({beyond}) == static_cast<Real>(beyond));
}

TEST_CASE("tensor: one that was default-constructed is not defined, has no numbers and says so") {
  const Tensor nothing;
  CHECK_FALSE(nothing.defined());
  CHECK(nothing.to_vector().empty());
  CHECK_THROWS_WITH(nothing.item(), "item: the tensor must have one element: shape []");
  CHECK_THROWS_AS(nothing({}), std::invalid_argument);
  CHECK(Tensor({0}).defined());
}

TEST_CASE("tensor: copies share memory until one of them is written") {
  Tensor a = six();
  CHECK_FALSE(a.is_shared());
  Tensor b = a;
  CHECK(a.is_shared());
  CHECK(b.shares_memory_with(a));
  CHECK(b.data() == a.data());
  b.mutable_data()[0] = 100;
  CHECK(a({0, 0}) == 1);
  CHECK(b.to_vector() == Numbers{100, 2, 3, 4, 5, 6});
  CHECK_FALSE(a.is_shared());
  CHECK_FALSE(b.is_shared());
}

TEST_CASE("tensor: the only owner is written in place") {
  Tensor a = six();
  const Real* before = a.data();
  a.mutable_data()[5] = 0;
  CHECK(a.data() == before);
  { const Tensor b = a; }
  a.mutable_data();
  CHECK(a.data() == before);
}

TEST_CASE("tensor: moving hands the memory on, and assigning to itself changes nothing") {
  Tensor a = six();
  const Real* before = a.data();
  Tensor b = std::move(a);
  CHECK(b.data() == before);
  CHECK_FALSE(b.is_shared());
  const Tensor& same = b;
  b = same;
  CHECK(b.to_vector() == Numbers{1, 2, 3, 4, 5, 6});
  CHECK_FALSE(b.is_shared());
  Real* const numbers = b.mutable_data();
  b = same;
  numbers[0] = 10;  // still its own
  CHECK(b.to_vector() == Numbers{10, 2, 3, 4, 5, 6});
  Tensor view = Tensor::arange(6).rows(2, 5);
  const Tensor taken = std::move(view);
  CHECK(view.begin() == view.end());  // NOLINT: what is left of it
}

TEST_CASE("tensor: rows are a view that shares the memory") {
  const Tensor x = Tensor::arange(12).with_shape({4, 3});
  const Tensor middle = x.rows(1, 3);
  CHECK(middle.shape() == Shape{2, 3});
  CHECK(middle.shares_memory_with(x));
  CHECK(middle.data() == x.data() + 3);
  CHECK(middle.to_vector() == Numbers{3, 4, 5, 6, 7, 8});
  CHECK(middle.rows(1, 2).to_vector() == Numbers{6, 7, 8});
  CHECK(middle({1, 2}) == 8);
  CHECK(middle.with_shape({3, 2})({2, 1}) == 8);
  CHECK(x.rows(4, 4).size() == 0);
  CHECK(Tensor({0, 3}).rows(0, 0).shape() == Shape{0, 3});
}

TEST_CASE("tensor: writing to a view leaves the whole as it is, and the other way round") {
  Tensor x = Tensor::arange(4);
  Tensor view = x.rows(2, 4);
  view.mutable_data()[0] = 100;
  CHECK(view.to_vector() == Numbers{100, 3});
  CHECK(x.to_vector() == Numbers{0, 1, 2, 3});
  const Tensor other = x.rows(1, 2);
  x.mutable_data()[1] = 50;
  CHECK(other.item() == 1);
}

TEST_CASE("tensor: a view outlives the whole and can then be written in place") {
  Tensor view = Tensor::arange(6).rows(2, 5);
  CHECK_FALSE(view.is_shared());
  view.mutable_data()[0] = 20;
  view.fill(9);
  CHECK(view.to_vector() == Numbers{9, 9, 9});
}

TEST_CASE("tensor: rows outside the tensor, and rows of a scalar, are refused") {
  const Tensor x = six();
  CHECK_THROWS_WITH(x.rows(1, 3),
                    "rows: 0 <= first <= last <= size of the first axis: rows 1 to 3 of [2, 3]");
  CHECK_THROWS_AS(x.rows(-1, 1), std::invalid_argument);
  CHECK_THROWS_AS(x.rows(2, 1), std::invalid_argument);
  CHECK_THROWS_AS(Tensor::scalar(1).rows(0, 0), std::invalid_argument);
}

TEST_CASE(
    "tensor: no copy sees what is written through a pointer that was taken before or after it was made") {
  Tensor x = six();
  const Tensor before = x;
  Real* numbers = x.mutable_data();
  const Tensor after = x, row = x.rows(1, 2), column = x.with_shape({6, 1});
  Tensor assigned;
  assigned = x;
  const Tensor moved = std::move(x), copy_of_moved = moved;
  for (Index i = 0; i < 6; ++i) numbers[i] = 0;
  for (const Tensor* copy : {&before, &after, static_cast<const Tensor*>(&assigned), &copy_of_moved})
    CHECK(copy->to_vector() == Numbers{1, 2, 3, 4, 5, 6});
  CHECK(row.to_vector() == Numbers{4, 5, 6});
  CHECK(column.to_vector() == Numbers{1, 2, 3, 4, 5, 6});
  CHECK(moved.to_vector() == Numbers(6, 0));
  CHECK(Tensor(after).shares_memory_with(after));  // the copy itself was given to nobody
}

TEST_CASE("tensor: unguarded numbers are written without a copy before and after") {
  Tensor x = six();
  x.unguarded_data()[0] = 10;
  const Tensor copy = x;
  CHECK(copy.shares_memory_with(x));
  x.unguarded_data()[0] = 20;  // shared by now
  CHECK(copy({0, 0}) == 10);
  CHECK(x({0, 0}) == 20);
}

TEST_CASE("tensor: numbers of a tensor that is not defined cannot be written") {
  CHECK_THROWS_WITH(Tensor().mutable_data(), "mutable_data: the tensor is not defined");
  Tensor x = six();
  x.mutable_data();
  const Tensor taken = std::move(x);
  CHECK_FALSE(Tensor(x).defined());  // NOLINT: what was moved from can be copied
}

TEST_CASE("tensor: another shape shares the numbers; one size can be worked out") {
  const Tensor x = six();
  CHECK(x.with_shape({3, 2})({2, 0}) == 5);
  CHECK(x.with_shape({3, 2}).shares_memory_with(x));
  CHECK(x.reshaped({-1}).shape() == Shape{6});
  CHECK(x.reshaped({3, -1}).shape() == Shape{3, 2});
  CHECK(x.reshaped({2, 3, -1}).shape() == Shape{2, 3, 1});
  CHECK(Tensor::scalar(1).reshaped({1, 1}).shape() == Shape{1, 1});
  CHECK(Tensor({0, 3}).reshaped({-1, 3}).shape() == Shape{0, 3});
}

TEST_CASE("tensor: shapes with another number of elements are refused") {
  CHECK_THROWS_WITH(six().with_shape({4}),
                    "reshape: the number of elements must stay: [2, 3] has 6, [4] has 4");
  CHECK_THROWS_WITH(six().reshaped({4, -1}),
                    "reshape: the number of elements must stay: [2, 3] has 6, [4, 1] has 4");
  CHECK_THROWS_WITH(six().reshaped({-1, -1}), "reshape: at most one size may be -1: got [-1, -1]");
}

TEST_CASE("tensor: indices that do not fit are refused") {
  const Tensor x = six();
  CHECK_THROWS_WITH(x({2, 0}), "tensor: indices must lie within the shape: [2, 0] of [2, 3]");
  CHECK_THROWS_WITH(x({0, -1}), "tensor: indices must lie within the shape: [0, -1] of [2, 3]");
  CHECK_THROWS_WITH(x({1}), "tensor: indices must lie within the shape: [1] of [2, 3]");
  CHECK_THROWS_WITH(x.item(), "item: the tensor must have one element: shape [2, 3]");
}

TEST_CASE("tensor: fill writes to this one only") {
  Tensor a = six();
  const Tensor b = a;
  a.fill(0);
  CHECK(a.to_vector() == Numbers(6, 0));
  CHECK(b.to_vector() == Numbers{1, 2, 3, 4, 5, 6});
}

TEST_CASE("tensor: is an xtensor container without a copy, for reading and for writing") {
  Tensor x = six();
  CHECK(as_xtensor(x)(1, 2) == 6);
  CHECK(&as_xtensor(x)(0, 0) == x.data());
  const Tensor copy = x;
  auto writable = as_writable_xtensor(x);
  writable(0, 1) = 20;
  CHECK(x({0, 1}) == 20);
  CHECK(copy({0, 1}) == 2);
  CHECK(as_xtensor(x.rows(1, 2))(0, 0) == 4);
}

TEST_CASE("tensor: is made from an xtensor expression") {
  const Tensor x = six();
  CHECK(from_xtensor(as_xtensor(x) * 2).to_vector() == Numbers{2, 4, 6, 8, 10, 12});
  CHECK(from_xtensor(xt::transpose(as_xtensor(x))).to_vector() == Numbers{1, 4, 2, 5, 3, 6});
  CHECK(from_xtensor(xt::view(as_xtensor(x), xt::all(), 1)).shape() == Shape{2});
  CHECK(from_xtensor(xt::sum(as_xtensor(x))).item() == 21);
}

TEST_CASE("tensor: copies can be made and dropped by many threads at once") {
  const Tensor x = six();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        Tensor copy = x;
        copy.mutable_data()[0] = static_cast<Real>(t);
        if (copy({0, 0}) != static_cast<Real>(t) || x({0, 0}) != 1) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK_FALSE(x.is_shared());
}

TEST_CASE("indices: hold whole numbers under a shape, and copies share them") {
  const Indices ids({2, 3}, {1, 2, 3, 4, 5, -6});
  CHECK(ids.shape() == Shape{2, 3});
  CHECK(ids.dim(1) == 3);
  CHECK(ids.size() == 6);
  CHECK(ids[5] == -6);
  CHECK(std::vector<std::int32_t>(ids.begin(), ids.end()) == std::vector<std::int32_t>{1, 2, 3, 4, 5, -6});
  const Indices copy = ids;
  CHECK(copy.data() == ids.data());
  CHECK(Indices().size() == 0);
}

TEST_CASE("indices: too few numbers for the shape are refused") {
  CHECK_THROWS_WITH(Indices({2, 2}, {1, 2}),
                    "indices: one number for each element: shape [2, 2] has 4, got 2");
}
