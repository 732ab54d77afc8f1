#include <gradual/core/elements/elementwise.hpp>

#include <cmath>

#include <gradual/core/elements/arrays.hpp>
#include <gradual/core/elements/vector_math.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

template <class Function>
Tensor map(const Tensor& x, Function function) {
  Tensor y(x.shape());
  const Real* from = x.data();
  Real* to = y.unguarded_data();
  parallel_elements(x.size(), [=](Index first, Index last) {
#pragma omp simd
    for (Index i = first; i < last; ++i) to[i] = function(from[i]);
  });
  return y;
}

template <class Function>
Tensor zip(const Tensor& a, const Tensor& b, Function function) {
  Tensor y(a.shape());
  const Real *left = a.data(), *right = b.data();
  Real* to = y.unguarded_data();
  parallel_elements(a.size(), [=](Index first, Index last) {
#pragma omp simd
    for (Index i = first; i < last; ++i) to[i] = function(left[i], right[i]);
  });
  return y;
}

// b repeats for each row of a: a bias, or the scale of a layer norm.
template <class Function>
Tensor zip_rows(const Tensor& a, const Tensor& b, Function function) {
  Tensor y(a.shape());
  const Real *left = a.data(), *row = b.data();
  Real* to = y.unguarded_data();
  const Index width = b.size();
  parallel_rows(width == 0 ? 0 : a.size() / width, width, [=](Index first, Index last) {
    for (Index r = first; r < last; ++r) {
#pragma omp simd
      for (Index i = 0; i < width; ++i) to[r * width + i] = function(left[r * width + i], row[i]);
    }
  });
  return y;
}

// True when `part`, without leading axes of size 1, is the last axes of `whole`.
bool is_row_of(const Shape& part, const Shape& whole) {
  Index first = 0;
  while (first < part.rank() && part[first] == 1) ++first;
  const Index rank = part.rank() - first;
  return rank <= whole.rank() &&
         part.slice(first, part.rank()) == whole.slice(whole.rank() - rank, whole.rank());
}

template <class Function>
Tensor combine(const char* operation, const Tensor& a, const Tensor& b, Function function) {
  if (a.shape() == b.shape()) return zip(a, b, function);
  const Shape shape = broadcast_shapes(operation, a.shape(), b.shape());
  if (b.size() == 1 && a.shape() == shape) {
    const Real scalar = b.data()[0];
    return map(a, [=](Real x) { return function(x, scalar); });
  }
  if (a.shape() == shape && is_row_of(b.shape(), shape)) return zip_rows(a, b, function);
  return zip(broadcast_to(a, shape), broadcast_to(b, shape), function);
}

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) {
  return combine("add", a, b, [](Real x, Real y) { return x + y; });
}
Tensor operator-(const Tensor& a, const Tensor& b) {
  return combine("sub", a, b, [](Real x, Real y) { return x - y; });
}
Tensor operator*(const Tensor& a, const Tensor& b) {
  return combine("mul", a, b, [](Real x, Real y) { return x * y; });
}
Tensor operator/(const Tensor& a, const Tensor& b) {
  return combine("div", a, b, [](Real x, Real y) { return x / y; });
}
Tensor operator*(const Tensor& a, Real factor) {
  return map(a, [=](Real x) { return x * factor; });
}
Tensor operator-(const Tensor& a) {
  return map(a, [](Real x) { return -x; });
}

void add_in_place(Tensor& sum, const Tensor& term) {
  if (sum.shape() != term.shape())
    throw std::invalid_argument(
        text("add_in_place: shapes must be equal: sum is ", sum.shape(), ", term is ", term.shape()));
  if (sum.is_shared()) {  // one pass instead of a copy and an addition
    sum = sum + term;
    return;
  }
  Real* to = sum.unguarded_data();
  const Real* from = term.data();
  parallel_elements(sum.size(), [=](Index first, Index last) {
#pragma omp simd
    for (Index i = first; i < last; ++i) to[i] += from[i];
  });
}

void scale_in_place(Tensor& x, Real factor) {
  Real* to = x.unguarded_data();
  parallel_elements(x.size(), [=](Index first, Index last) {
#pragma omp simd
    for (Index i = first; i < last; ++i) to[i] *= factor;
  });
}

Tensor exp(const Tensor& x) {
  return map(x, [](Real v) { return vector_exp(v); });
}
Tensor log(const Tensor& x) {
  return map(x, [](Real v) { return std::log(v); });
}
Tensor sqrt(const Tensor& x) {
  return map(x, [](Real v) { return std::sqrt(v); });
}
Tensor pow(const Tensor& x, Real exponent) {
  if (exponent == 2) return x * x;
  return map(x, [=](Real v) { return std::pow(v, exponent); });
}
Tensor tanh(const Tensor& x) {
  return map(x, [](Real v) { return vector_tanh(v); });
}
Tensor sigmoid(const Tensor& x) {
  return map(x, [](Real v) { return 1 / (1 + vector_exp(-v)); });
}
Tensor relu(const Tensor& x) {
  return map(x, [](Real v) { return v < 0 ? Real(0) : v; });  // not v > 0: a NaN must stay one
}

Tensor leaky_relu(const Tensor& x, Real slope) {
  return map(x, [=](Real v) { return v > 0 ? v : slope * v; });
}
Tensor leaky_relu_derivative(const Tensor& x, Real slope) {
  return map(x, [=](Real v) { return v > 0 ? Real(1) : slope; });
}
Tensor elu(const Tensor& x) {
  return map(x, [](Real v) { return v > 0 ? v : vector_exp(v) - 1; });
}
Tensor elu_derivative(const Tensor& y) {
  return map(y, [](Real v) { return v > 0 ? Real(1) : v + 1; });
}

constexpr Real sqrt_half = Real(0.70710678118654752);

Tensor gelu(const Tensor& x) {
  return map(x, [](Real v) { return v * Real(0.5) * (1 + vector_erf(v * sqrt_half)); });
}
Tensor gelu_derivative(const Tensor& x) {
  constexpr Real one_over_sqrt_two_pi = Real(0.39894228040143268);
  return map(x, [](Real v) {
    const Real distribution = Real(0.5) * (1 + vector_erf(v * sqrt_half));
    const Real density = one_over_sqrt_two_pi * vector_exp(-v * v / 2);
    return distribution + v * density;
  });
}
Tensor is_positive(const Tensor& x) {
  return map(x, [](Real v) { return v > 0 ? Real(1) : Real(0); });
}
Tensor is_equal(const Tensor& a, const Tensor& b) {
  return combine("is_equal", a, b, [](Real x, Real y) { return x == y ? Real(1) : Real(0); });
}

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  if (condition.shape() != a.shape() || a.shape() != b.shape())
    throw std::invalid_argument(text("where: shapes must be equal: condition is ", condition.shape(),
                                     ", a is ", a.shape(), ", b is ", b.shape()));
  Tensor y(a.shape());
  Real* to = y.unguarded_data();
  parallel_elements(a.size(),
                    [=, c = condition.data(), left = a.data(), right = b.data()](Index first, Index last) {
#pragma omp simd
                      for (Index i = first; i < last; ++i) to[i] = c[i] != 0 ? left[i] : right[i];
                    });
  return y;
}

}  // namespace gradual
