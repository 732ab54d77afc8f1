#include <gradual/core/layers/dropout.hpp>

#include <algorithm>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {

DropoutMask::DropoutMask(double p, std::uint32_t random_key) : key(random_key) {
  if (!(p >= 0 && p < 1))
    throw std::invalid_argument(text("dropout: the probability must lie in [0, 1): got ", p));
  threshold = static_cast<std::uint32_t>(p * 4294967296.0);
  scale = static_cast<Real>(1 / (1 - p));
}

namespace {

// y_i = f(i, mask(i))
template <class Function>
Tensor by_place(const Shape& shape, DropoutMask mask, Function f) {
  Tensor y(shape);
  parallel_elements(y.size(), [=, to = y.unguarded_data()](Index first, Index last) {
    for (Index end; first < last; first = end) {
      end = std::min(last, ((first >> 32) + 1) << 32);
      const DropoutMask part = mask.part_of(first);
#pragma omp simd
      for (Index i = first; i < end; ++i) to[i] = f(i, part.within(i));
    }
  });
  return y;
}

}  // namespace

Tensor apply_dropout(const Tensor& x, DropoutMask mask) {
  check_defined("dropout", "x", x);
  if (!mask.active()) return x;
  return by_place(x.shape(), mask, [from = x.data()](Index i, Real m) { return from[i] * m; });
}

Tensor add_dropped(const Tensor& x, const Tensor& y, DropoutMask mask) {
  check_defined("add_dropped", "x", x);
  check_shape("add_dropped", "y", y, x.shape());
  if (!mask.active()) return x + y;
  return by_place(x.shape(), mask, [a = x.data(), b = y.data()](Index i, Real m) { return a[i] + b[i] * m; });
}

Tensor relu_dropped(const Tensor& x, DropoutMask mask) {
  check_defined("relu_dropped", "x", x);
  if (!mask.active()) return relu(x);
  return by_place(x.shape(), mask,
                  [from = x.data()](Index i, Real m) { return (from[i] < 0 ? Real(0) : from[i]) * m; });
}

Tensor relu_dropped_backward(const Tensor& y, const Tensor& dy, DropoutMask mask) {
  check_defined("relu_dropped_backward", "y", y);
  check_shape("relu_dropped_backward", "dy", dy, y.shape());
  return by_place(y.shape(), mask,
                  [scale = mask.scale, result = y.data(), upstream = dy.data()](Index i, Real) {
                    return result[i] > 0 ? upstream[i] * scale : Real(0);
                  });
}

}  // namespace gradual
