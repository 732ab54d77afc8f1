#include <gradual/core/products/products.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

// Where the matrix of x begins that the batch number `batch` of a broadcast shape uses.
Index matrix_offset(const Tensor& x, const Shape& batches, Index batch) {
  Index matrix = 0, stride = 1;
  for (Index back = 1; back <= batches.rank(); ++back) {
    const Index coordinate = batch % batches[-back];
    batch /= batches[-back];
    const Index axis = x.rank() - 2 - back;
    if (axis < 0) continue;
    if (x.dim(axis) != 1) matrix += coordinate * stride;
    stride *= x.dim(axis);
  }
  return matrix * x.dim(-2) * x.dim(-1);
}

Tensor naive_matmul(const Tensor& a, const Tensor& b, const Shape& batches, Transposes t) {
  const Index m = a.dim(t.a ? -1 : -2), k = a.dim(t.a ? -2 : -1), n = b.dim(t.b ? -2 : -1);
  Shape shape = batches;
  shape.push_back(m);
  shape.push_back(n);
  Tensor y(shape);
  Real* to = y.mutable_data();
  for (Index batch = 0; batch < batches.size(); ++batch) {
    const Real *left = a.data() + matrix_offset(a, batches, batch),
               *right = b.data() + matrix_offset(b, batches, batch);
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < n; ++j) {
        double total = 0;
        for (Index p = 0; p < k; ++p)
          total += static_cast<double>(left[t.a ? p * m + i : i * k + p]) *
                   static_cast<double>(right[t.b ? j * k + p : p * n + j]);
        *to++ = static_cast<Real>(total);
      }
    }
  }
  return y;
}

// [m, k] times [k, n] under these batch shapes, with every transpose.
void check_matmul(const std::vector<Index>& a_batch, const std::vector<Index>& b_batch, const Shape& batches,
                  Index m = 3, Index k = 4, Index n = 5) {
  const auto with = [](std::vector<Index> sizes, Index rows, Index columns, bool transposed) {
    sizes.push_back(transposed ? columns : rows);
    sizes.push_back(transposed ? rows : columns);
    return Shape(sizes);
  };
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const Tensor a = random_tensor(with(a_batch, m, k, ta), 1),
                   b = random_tensor(with(b_batch, k, n, tb), 2);
      INFO(a.shape() << " times " << b.shape() << ", transposed " << ta << tb);
      CHECK(difference(matmul(a, b, {ta, tb}), naive_matmul(a, b, batches, {ta, tb})) == "");
    }
  }
}

}  // namespace

TEST_CASE("matmul: a product worked out by hand") {
  const Tensor a({2, 3}, {1, 2, 3, 4, 5, 6}), b({3, 2}, {7, 8, 9, 10, 11, 12});
  CHECK(matmul(a, b).to_vector() == std::vector<Real>{58, 64, 139, 154});
}

TEST_CASE("matmul: batches broadcast, with every transpose") {
  check_matmul({}, {}, {});
  check_matmul({2}, {2}, {2});
  check_matmul({2}, {}, {2});
  check_matmul({}, {2}, {2});
  check_matmul({2, 3}, {3}, {2, 3});
  check_matmul({2, 1}, {1, 3}, {2, 3});
  check_matmul({1}, {1}, {1});
  check_matmul({2, 3}, {2, 3}, {2, 3}, 1, 1, 1);
  check_matmul({50}, {50}, {50}, 40, 30, 20);
  check_matmul({}, {}, {}, 300, 70, 200);
}

TEST_CASE("matmul: an empty inner axis gives zeros, an empty outer one or no batch nothing") {
  CHECK(same_bits(matmul(Tensor({2, 0}), Tensor({0, 3})), Tensor::zeros({2, 3})));
  CHECK(same_bits(matmul(Tensor({4, 2, 0}), Tensor({4, 0, 3})), Tensor::zeros({4, 2, 3})));
  CHECK(matmul(Tensor({0, 4}), Tensor({4, 3})).shape() == Shape{0, 3});
  CHECK(matmul(Tensor({0, 2, 4}), Tensor({4, 3})).shape() == Shape{0, 2, 3});
}

TEST_CASE("matmul: factors that are views start where they should") {
  const Tensor x = random_tensor({6, 4}, 1);
  const Tensor top = Tensor({3, 4}, std::vector<Real>(x.begin(), x.begin() + 12));
  CHECK(same_bits(matmul(x.rows(0, 3), x.rows(3, 6), {false, true}),
                  matmul(top, Tensor({3, 4}, std::vector<Real>(x.begin() + 12, x.end())), {false, true})));
}

TEST_CASE("matmul: what does not fit is refused, with a hint where a transpose would help") {
  const Tensor a = Tensor::ones({5, 7});
  CHECK_THROWS_AS(matmul(a, a), std::invalid_argument);
  CHECK_THROWS_WITH(
      matmul(a, a),
      "matmul: inner sizes must match: a is [5, 7], b is [5, 7]; did you mean matmul(a, transpose(b))?");
  CHECK_THROWS_WITH(matmul(a, Tensor::ones({5, 6})),
                    "matmul: inner sizes must match: a is [5, 7], b is [5, 6]");
  const Tensor b = Tensor::ones({7, 5});
  CHECK_THROWS_WITH(matmul(a, b, {true, false}),
                    "matmul: inner sizes must match: a is [5, 7] transposed, b is [7, 5]; did you mean "
                    "matmul(a, b, {true, true})?");
  CHECK(matmul(a, a, {false, true}).shape() == Shape{5, 5});  // the hints, followed
  CHECK(matmul(a, b, {true, true}).shape() == Shape{7, 7});
  CHECK_THROWS_WITH(matmul(a, b, {false, true}),
                    "matmul: inner sizes must match: a is [5, 7], b is [7, 5] transposed");
  CHECK_THROWS_WITH(matmul(a, Tensor::ones({7})),
                    "matmul: both must have at least two axes: a is [5, 7], b is [7]");
  CHECK_THROWS_WITH(matmul(Tensor::ones({2, 5, 7}), Tensor::ones({3, 7, 5})),
                    "matmul: axes before the last two must be equal or 1: a is [2, 5, 7], b is [3, 7, 5]");
}

TEST_CASE("linear: adds the bias to each row of the product with the transposed weight") {
  const Tensor weight({2, 3}, {1, 2, 3, 4, 5, 6}), bias({2}, {10, 20});
  const Tensor x({2, 1, 3}, {1, 0, 0, 1, 1, 1});
  CHECK(linear(x, weight, bias).shape() == Shape{2, 1, 2});
  CHECK(linear(x, weight, bias).to_vector() == std::vector<Real>{11, 24, 16, 35});
  CHECK(linear(x, weight, Tensor()).to_vector() == std::vector<Real>{1, 4, 6, 15});
  CHECK(linear(Tensor({3}, {1, 0, 1}), weight, bias).to_vector() == std::vector<Real>{14, 30});
  CHECK(linear(Tensor({0, 3}), weight, bias).shape() == Shape{0, 2});
  CHECK(linear(Tensor({2, 0}), Tensor({2, 0}), bias).to_vector() == std::vector<Real>{10, 20, 10, 20});
}

TEST_CASE("linear: large products equal naive ones") {
  const Tensor x = random_tensor({500, 64}, 1), weight = random_tensor({96, 64}, 2),
               bias = random_tensor({96}, 3);
  Tensor expected = naive_matmul(x, weight, {}, {false, true});
  for (Index i = 0; i < expected.size(); ++i) expected.mutable_data()[i] += bias.data()[i % 96];
  CHECK(difference(linear(x, weight, bias), expected) == "");
}

TEST_CASE("linear: what does not fit is refused") {
  const Tensor weight = Tensor::ones({2, 3});
  CHECK_THROWS_WITH(
      linear(Tensor::ones({4, 2}), weight, Tensor()),
      "linear: the last axis of x must be the input size of the weight [out, in]: x is [4, 2], weight is "
      "[2, 3]");
  CHECK_THROWS_AS(linear(Tensor::scalar(1), weight, Tensor()), std::invalid_argument);
  CHECK_THROWS_AS(linear(Tensor::ones({3}), Tensor::ones({3}), Tensor()), std::invalid_argument);
  CHECK_THROWS_WITH(linear(Tensor::ones({4, 3}), weight, Tensor::ones({3})),
                    "linear: the bias must have the output size: weight is [2, 3], bias is [3]");
}

TEST_CASE("products: the bits are the same for 1, 2 and 4 threads") {
  check_same_bits_for_any_thread_count([] {
    const Tensor a = random_tensor({40, 50, 60}, 1), b = random_tensor({40, 60, 30}, 2);
    const Tensor x = random_tensor({700, 96}, 3), weight = random_tensor({200, 96}, 4),
                 bias = random_tensor({200}, 5);
    return std::vector<Tensor>{matmul(a, b), linear(x, weight, bias), matmul(x, x, {true, false})};
  });
}
