#include <gradual/core/elements/reductions.hpp>

#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/axis_view.hpp>
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/loops.hpp>
#include <gradual/core/elements/sums.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// The axes that an operation reduces: which, how many elements they hold, and the shapes that remain.
struct Reduced {
  Axes axes;
  Index count = 1;
  Shape kept, dropped;

  Reduced(const char* operation, const Tensor& x, const Axes& wanted) : axes(wanted), kept(x.shape()) {
    check_defined(operation, "x", x);
    if (axes.empty()) {
      axes.resize(static_cast<std::size_t>(x.rank()));
      std::iota(axes.begin(), axes.end(), Index(0));
    }
    for (Index& axis : axes) axis = x.shape().normalized_axis(axis, operation);
    std::sort(axes.begin(), axes.end());
    if (std::adjacent_find(axes.begin(), axes.end()) != axes.end())
      throw std::invalid_argument(
          text(operation, ": each axis may be named once: x is ", x.shape(), ", axes are ", list_of(axes)));
    for (Index axis : axes) {
      count *= x.dim(axis);
      kept.set(axis, 1);
    }
    for (Index axis = 0; axis < x.rank(); ++axis)
      if (!std::binary_search(axes.begin(), axes.end(), axis)) dropped.push_back(x.dim(axis));
  }
  void require_elements(const char* operation, const Tensor& x) const {
    if (count == 0 && kept.size() > 0)
      throw std::invalid_argument(text(operation, ": there must be elements: x is ", x.shape()));
  }
  // Whether no axis that stays comes after one of them.
  bool are_last(const Tensor& x) const {
    return axes.empty() || axes.front() + static_cast<Index>(axes.size()) == x.rank();
  }
  // All axes of x, these at the end.
  Axes axes_at_the_end(const Tensor& x) const {
    Axes order;
    for (Index axis = 0; axis < x.rank(); ++axis)
      if (!std::binary_search(axes.begin(), axes.end(), axis)) order.push_back(axis);
    order.insert(order.end(), axes.begin(), axes.end());
    return order;
  }
  const Shape& shape(Axis reduced) const { return reduced == Axis::kept ? kept : dropped; }
};

// y = x with the given axes reduced, neighbouring ones as one long axis, last ones first; `along` does it for
// x seen as [outer, count, inner].
template <class Along>
Tensor reduce(const Tensor& x, const Reduced& plan, Along along) {
  Tensor y;
  for (std::size_t last = plan.axes.size(); last > 0;) {
    std::size_t first = last - 1;
    while (first > 0 && plan.axes[first - 1] + 1 == plan.axes[first]) --first;
    const Index start = plan.axes[first], end = plan.axes[last - 1] + 1;
    const Tensor& from = y.defined() ? y : x;
    Shape shape = from.shape();
    const AxisView view{shape.slice(0, start).size(), shape.slice(start, end).size(),
                        shape.slice(end, shape.rank()).size()};
    for (Index axis = start; axis < end; ++axis) shape.set(axis, 1);
    Tensor next(shape);
    if (next.size() > 0) along(from.data(), view, next.unguarded_data());
    y = std::move(next);
    last = first;
  }
  return y.defined() ? y : x;
}

Tensor sum_along(const Tensor& x, const Reduced& plan) {
  return reduce(x, plan, [](const Real* from, const AxisView& v, Real* to) {
    sum_view([from](Index i) { return from[i]; }, v, to);
  });
}

double share_of(const AxisView& v) { return 1 / static_cast<double>(v.size); }

Tensor mean_along(const Tensor& x, const Reduced& plan) {
  return reduce(x, plan, [](const Real* from, const AxisView& v, Real* to) {
    sum_view([from](Index i) { return from[i]; }, v, to, share_of(v));
  });
}

struct Moments {
  Tensor mean, variance;
};

// Axes that are not the last are brought there first.
Moments moments_along(const Tensor& x, const Reduced& plan) {
  const Index count = plan.count;
  const Tensor rows = plan.are_last(x) ? x : transpose(x, plan.axes_at_the_end(x));
  Moments result{Tensor(plan.kept), Tensor(plan.kept)};
  parallel_each_row(plan.kept.size(), count,
                    [=, from = rows.data(), mean = result.mean.unguarded_data(),
                     variance = result.variance.unguarded_data()](Index row) {
                      const auto [m, q] =
                          sums_of_distances([from](Index i) { return from[i]; }, row * count, count);
                      mean[row] = static_cast<Real>(m);
                      variance[row] = static_cast<Real>(q / static_cast<double>(count));
                    });
  return result;
}

// sum ← sum + (x - mean)·slope, with a mean and a slope for each group of elements.
void add_distances(Tensor& sum, const Tensor& x, const Tensor& mean, const Tensor& slope) {
  const Broadcast plan(x.shape(), x.shape(), mean.shape());
  if (x.size() == 0) return;
  parallel_each_row(
      plan.rows, plan.width,
      [=, from = x.data(), means = mean.data(), slopes = slope.data(), to = sum.unguarded_data()](Index row) {
        const Broadcast::Start at = plan.start(row);
        const Real *x_r = from + at.a, *m = means + at.b, *s = slopes + at.b;
        Real* sum_r = to + row * plan.width;
        const auto add = [=](auto step) {
#pragma omp simd
          for (Index i = 0; i < plan.width; ++i) sum_r[i] += (x_r[i] - m[i * step]) * s[i * step];
        };
        plan.b_moves ? add(std::integral_constant<Index, 1>()) : add(std::integral_constant<Index, 0>());
      });
}

// A reduction y of x whose dx is one and the same along the axes that are reduced.
template <class Slope>
Operation repeating(const char* name, Tensor y, const Shape& x, Slope slope) {
  return {name,
          std::move(y),
          [=](const Tensor& dy) { return broadcast_to(slope(dy), x); },
          {},
          [=](const Tensor& dy, Tensor& sum) { add_in_place(sum, slope(dy)); }};
}

// best_j ← the one of x_j and best_j that comes first, NaN before anything.
template <class Better>
[[gnu::flatten]] void keep_better(const Real* __restrict x, Real* __restrict best, Index count,
                                  Better better) {
  for (Index j = 0; j < count; ++j) best[j] = (better(x[j], best[j]) | (x[j] != x[j])) ? x[j] : best[j];
}

// The element that comes before all others: better(a, b) says whether a does.
template <class Better>
Tensor extreme_along(const Tensor& x, const Reduced& plan, Real worst, Better better) {
  return reduce(x, plan, [=](const Real* from, const AxisView& v, Real* to) {
    parallel_rows(v.outer, v.size * v.inner, [=](Index first, Index last) {
      constexpr Index side_by_side = 32;  // of one row
      Real best[side_by_side];
      for (Index o = first; o < last; ++o) {
        const Real* x_o = from + o * v.size * v.inner;
        if (v.inner == 1) {
          std::fill_n(best, side_by_side, worst);
          const Index whole = v.size - v.size % side_by_side;
          for (Index i = 0; i < whole; i += side_by_side) keep_better(x_o + i, best, side_by_side, better);
          keep_better(x_o + whole, best, v.size - whole, better);
          for (Index width = side_by_side / 2; width > 0; width /= 2)
            keep_better(best + width, best, width, better);
          to[o] = best[0];
        } else {
          std::fill_n(to + o * v.inner, v.inner, worst);
          for (Index i = 0; i < v.size; ++i)
            keep_better(x_o + i * v.inner, to + o * v.inner, v.inner, better);
        }
      }
    });
  });
}

// The elements that are the extreme share its gradient.
template <class Better>
Operation extreme(const char* name, const Tensor& x, const Axes& axes, Axis reduced, Real worst,
                  Better better) {
  const Reduced plan(name, x, axes);
  plan.require_elements(name, x);
  const Tensor y = extreme_along(x, plan, worst, better);
  return {name, y.with_shape(plan.shape(reduced)), [=](const Tensor& dy) {
            Tensor is_extreme = is_equal(x, y);
            const Tensor share = dy.with_shape(y.shape()) / sum_along(is_extreme, plan);
            return zip(name, std::move(is_extreme), share, [](Real one, Real d) { return one * d; });
          }};
}

}  // namespace

Operation sum_operation(const Tensor& x, const Axes& axes, Axis reduced) {
  const Reduced plan("sum", x, axes);
  return repeating("sum", sum_along(x, plan).with_shape(plan.shape(reduced)), x.shape(),
                   [kept = plan.kept](const Tensor& dy) { return dy.with_shape(kept); });
}

Operation mean_operation(const Tensor& x, const Axes& axes, Axis reduced) {
  const Reduced plan("mean", x, axes);
  plan.require_elements("mean", x);
  const Real share = 1 / static_cast<Real>(plan.count);
  return repeating("mean", mean_along(x, plan).with_shape(plan.shape(reduced)), x.shape(),
                   [share, kept = plan.kept](const Tensor& dy) { return dy.with_shape(kept) * share; });
}

Operation variance_operation(const Tensor& x, const Axes& axes, Axis reduced) {
  const Reduced plan("variance", x, axes);
  plan.require_elements("variance", x);
  const Real share = 1 / static_cast<Real>(plan.count);
  const auto [mean, variance] = moments_along(x, plan);
  // The mean's own slope sums to 0.
  const auto slope = [share, kept = plan.kept](const Tensor& dy) {
    return dy.with_shape(kept) * (2 * share);
  };
  return {"variance",
          variance.with_shape(plan.shape(reduced)),
          [x, mean = mean, slope](const Tensor& dy) { return (x - mean) * slope(dy); },
          {},
          [x, mean = mean, slope](const Tensor& dy, Tensor& sum) { add_distances(sum, x, mean, slope(dy)); }};
}

Operation max_operation(const Tensor& x, const Axes& axes, Axis reduced) {
  return extreme("max", x, axes, reduced, -INFINITY, [](Real a, Real b) { return a > b; });
}

Operation min_operation(const Tensor& x, const Axes& axes, Axis reduced) {
  return extreme("min", x, axes, reduced, INFINITY, [](Real a, Real b) { return a < b; });
}

Tensor sum_products(const Tensor& a, const Tensor& b, const Axes& axes) {
  check_defined("sum_products", "b", b);
  const Reduced plan("sum_products", a, axes);
  check_shape("sum_products", "b", b, a.shape());
  if (plan.axes.empty()) return a * b;
  return reduce(a, plan, [&, other = b.data()](const Real* from, const AxisView& v, Real* to) {
    if (from == a.data())
      sum_view([=](Index i) { return from[i] * other[i]; }, v, to);
    else  // a second run of axes: the sums over the first one
      sum_view([from](Index i) { return from[i]; }, v, to);
  });
}

Tensor column_sums(const Tensor& x, Index width) {
  check_defined("column_sums", "x", x);
  const Index rows = width > 0 ? x.size() / width : 0;
  if (width < 0 || rows * width != x.size())
    throw std::invalid_argument(
        text("column_sums: the width must divide the elements: x is ", x.shape(), ", width is ", width));
  Tensor sums(Shape{width});
  sum_columns([from = x.data()](Index i) { return from[i]; }, rows, width, sums.unguarded_data());
  return sums;
}

}  // namespace gradual
