// Loops over one or two tensors, element by element, with broadcasting.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/operation.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {

/// How two operands run beside a result: axes along which both go on in step are one, and the innermost of
/// them, the width, is a plain loop in which an operand moves by 1 or stays. A matrix and a row, a column or
/// a single number are all of this kind.
struct Broadcast {
  /// The shapes must fit: see broadcast_shapes().
  Broadcast(const Shape& result, const Shape& a, const Shape& b);

  Index rows = 1, width = 1;
  bool a_moves = false, b_moves = false;

  /// The numbers of a and of b before the one that a row begins with.
  struct Start {
    Index a, b;
  };
  /// Where the operands stand at the start of a row of the result.
  Start start(Index row) const {
    Start at{0, 0};
    for (std::size_t axis = 0; axis < outer_axes_; ++axis) {
      const Index place = row % outer_[axis].size;
      row /= outer_[axis].size;
      at.a += place * outer_[axis].a_stride;
      at.b += place * outer_[axis].b_stride;
    }
    return at;
  }

 private:
  struct OuterAxis {
    Index size, a_stride, b_stride;
  };
  std::array<OuterAxis, Shape::max_rank> outer_{};  // the fastest first
  std::size_t outer_axes_ = 0;
};

/// What an error about an operand that is not defined says at its end: the usual reason.
constexpr const char* gradient_hint = "; a gradient is not until backward reaches its variable";

/// y_i = f(x_i) as a plain loop, with all calls in it inlined: what compilers turn into vector instructions.
/// y may be x.
template <class Function>
[[gnu::flatten]] void loop(const Real* x, Real* y, Index count, Function f) {
#pragma omp simd
  for (Index i = 0; i < count; ++i) y[i] = f(x[i]);
}
/// y_i = f(a_i, b_i) as such a loop; y may be a or b.
template <class Function>
[[gnu::flatten]] void loop(const Real* a, const Real* b, Real* y, Index count, Function f) {
#pragma omp simd
  for (Index i = 0; i < count; ++i) y[i] = f(a[i], b[i]);
}

/// y_i = f(x_i)
template <class Function>
Tensor map(const char* operation, const Tensor& x, Function f) {
  check_defined(operation, "x", x, gradient_hint);
  Tensor y(x.shape());
  parallel_elements(x.size(), [from = x.data(), to = y.unguarded_data(), f](Index first, Index last) {
    loop(from + first, to + first, last - first, f);
  });
  return y;
}

/// y_i = f(a_i, b_i) for two operands that run beside y by a plan; y may be one of them.
template <class Function>
void zip_to(Tensor& y, const Real* left, const Real* right, const Broadcast& plan, Function f) {
  if (y.size() == 0) return;
  const auto run = [plan, f](const Real* u, const Real* v, Real* to, Index count) {
    if (plan.a_moves && plan.b_moves)
      loop(u, v, to, count, f);
    else if (plan.a_moves)
      loop(u, to, count, [f, number = *v](Real each) { return f(each, number); });
    else
      loop(v, to, count, [f, number = *u](Real each) { return f(number, each); });
  };
  if (plan.rows > 1) {
    parallel_each_row(plan.rows, plan.width, [=, to = y.unguarded_data()](Index row) {
      const Broadcast::Start at = plan.start(row);
      run(left + at.a, right + at.b, to + row * plan.width, plan.width);
    });
  } else {
    parallel_elements(y.size(), [=, to = y.unguarded_data()](Index first, Index last) {
      run(left + (plan.a_moves ? first : 0), right + (plan.b_moves ? first : 0), to + first, last - first);
    });
  }
}

/// y_i = f(a_i, b_i), where the smaller operand is repeated to fit; throws std::invalid_argument with both
/// shapes when they do not. An a that is given away, and that nobody else holds, becomes y where it can: of
/// large tensors, memory that is not touched is what saves time.
template <class Left, class Function>
Tensor zip(const char* operation, Left&& a, const Tensor& b, Function f) {
  check_defined(operation, "a", a, gradient_hint);
  check_defined(operation, "b", b, gradient_hint);
  const Shape shape = broadcast_shapes(operation, a.shape(), b.shape());
  const Broadcast plan(shape, a.shape(), b.shape());
  const Real *left = a.data(), *right = b.data();
  const bool reuse = std::is_same_v<Left, Tensor> && a.shape() == shape && !a.is_shared() && !a.is_exposed();
  Tensor y = reuse ? std::forward<Left>(a) : Tensor(shape);
  zip_to(y, left, right, plan, f);
  return y;
}

/// A function f of each element and its slope f'(x), as an operation.
template <class Function, class Slope>
Operation pointwise(const char* name, const Tensor& x, Function f, Slope slope) {
  return {name, map(name, x, f), [x, slope, name](Tensor dy) {
            return zip(name, std::move(dy), x, [slope](Real d, Real v) { return d * slope(v); });
          }};
}

/// pointwise() for a slope that is shorter by the value y = f(x), which is then what the rule keeps.
template <class Function, class Slope>
Operation pointwise_by_value(const char* name, const Tensor& x, Function f, Slope slope) {
  const Tensor y = map(name, x, f);
  return {name, y, [y, slope, name](Tensor dy) {
            return zip(name, std::move(dy), y, [slope](Real d, Real v) { return d * slope(v); });
          }};
}

}  // namespace gradual
