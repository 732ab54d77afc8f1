#include <gradual/core/elements/reductions.hpp>

#include <limits>
#include <numeric>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/axis_view.hpp>
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/loops.hpp>
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
    if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) {
      std::string list;
      for (Index axis : axes) list += (list.empty() ? "" : ", ") + std::to_string(axis);
      throw std::invalid_argument(
          text(operation, ": each axis may be named once: x is ", x.shape(), ", axes are [", list, "]"));
    }
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
  const Shape& shape(Axis reduced) const { return reduced == Axis::kept ? kept : dropped; }
};

// Long sums are made in double: a million floats, summed in float, lose three digits. What is summed up,
// element(i, j) for the j-th sum, are the numbers of a tensor or what is made of them.

template <class Element>
[[gnu::flatten]] double sum_row(Element element, Index row, Index width) {
  double total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < width; ++i) total += static_cast<double>(element(row * width + i, row));
  return total;
}

template <class Element>
void sum_rows(Element element, Index rows, Index width, Real* to) {
  parallel_rows(rows, width, [=](Index first, Index last) {
    for (Index r = first; r < last; ++r) to[r] = static_cast<Real>(sum_row(element, r, width));
  });
}

template <class Element>
void sum_columns(Element element, Index rows, Index width, Real* to) {
  constexpr Index columns = 128;       // summed side by side: memory is read in runs
  constexpr Index rows_in_float = 64;  // before they are added in double
  parallel_rows((width + columns - 1) / columns, rows * columns, [=](Index first, Index last) {
    for (Index c = first * columns; c < std::min(last * columns, width); c += columns) {
      const Index count = std::min(columns, width - c);
      double total[columns] = {};
      for (Index start = 0; start < rows; start += rows_in_float) {
        const Index end = std::min(rows, start + rows_in_float);
        Real partial[columns] = {};
        if (count == columns) {
          for (Index r = start; r < end; ++r) {
#pragma omp simd
            for (Index i = 0; i < columns; ++i) partial[i] += element(r * width + c + i, c + i);
          }
        } else {
          for (Index r = start; r < end; ++r)
            for (Index i = 0; i < count; ++i) partial[i] += element(r * width + c + i, c + i);
        }
        for (Index i = 0; i < columns; ++i) total[i] += static_cast<double>(partial[i]);
      }
      for (Index i = 0; i < count; ++i) to[c + i] = static_cast<Real>(total[i]);
    }
  });
}

// y = x with the given axes reduced, neighbouring ones as one long axis, last ones first; `along` does it for
// x seen as [outer, count, inner].
template <class Along>
Tensor reduce(const Tensor& x, const Reduced& plan, Along along) {
  Tensor y = x;
  for (std::size_t last = plan.axes.size(); last > 0;) {
    std::size_t first = last - 1;
    while (first > 0 && plan.axes[first - 1] + 1 == plan.axes[first]) --first;
    const Index start = plan.axes[first], end = plan.axes[last - 1] + 1;
    Shape shape = y.shape();
    for (Index axis = start; axis < end; ++axis) shape.set(axis, 1);
    const AxisView view{y.shape().slice(0, start).size(), y.shape().slice(start, end).size(),
                        y.shape().slice(end, y.rank()).size()};
    Tensor next(shape);
    if (next.size() > 0) along(y.data(), view, next.unguarded_data());
    y = next;
    last = first;
  }
  return y;
}

template <class Element>
void sum_view(Element element, const AxisView& v, Real* to) {
  if (v.inner == 1) return sum_rows(element, v.outer, v.size, to);
  for (Index o = 0; o < v.outer; ++o)
    sum_columns([=](Index i, Index j) { return element(o * v.size * v.inner + i, o * v.inner + j); }, v.size,
                v.inner, to + o * v.inner);
}

Tensor sum_along(const Tensor& x, const Reduced& plan) {
  return reduce(x, plan, [](const Real* from, const AxisView& v, Real* to) {
    sum_view([from](Index i, Index) { return from[i]; }, v, to);
  });
}

// Σ a ⊙ b: the products are made for the first axes that are reduced, and their sums are summed over others.
Tensor sum_products_along(const Tensor& a, const Tensor& b, const Reduced& plan) {
  return reduce(a, plan, [&, other = b.data()](const Real* from, const AxisView& v, Real* to) {
    if (from == a.data())
      sum_view([=](Index i, Index) { return from[i] * other[i]; }, v, to);
    else
      sum_view([from](Index i, Index) { return from[i]; }, v, to);
  });
}

// Σ (x - mean)²
Tensor sum_squares_along(const Tensor& x, const Tensor& mean, const Reduced& plan) {
  if (plan.axes.empty() || plan.axes.back() - plan.axes.front() >= static_cast<Index>(plan.axes.size())) {
    const Tensor distance = x - mean;
    return sum_products_along(distance, distance, plan);
  }
  return reduce(x, plan, [m = mean.data()](const Real* from, const AxisView& v, Real* to) {
    sum_view([=](Index i, Index j) { return (from[i] - m[j]) * (from[i] - m[j]); }, v, to);
  });
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

// The elements that are y share its gradient.
Operation extreme(const char* name, const Tensor& x, const Tensor& y, const Reduced& plan, Axis reduced) {
  return {name, y.with_shape(plan.shape(reduced)), [=](const Tensor& dy) {
            Tensor is_extreme = is_equal(x, y);
            const Tensor share = dy.with_shape(y.shape()) / sum_along(is_extreme, plan);
            return zip(name, std::move(is_extreme), share, [](Real one, Real d) { return one * d; });
          }};
}

}  // namespace

Operation sum_operation(const Tensor& x, const Axes& axes, Axis reduced) {
  const Reduced plan("sum", x, axes);
  return {"sum", sum_along(x, plan).with_shape(plan.shape(reduced)),
          [kept = plan.kept, shape = x.shape()](const Tensor& dy) {
            return broadcast_to(dy.with_shape(kept), shape);
          }};
}

Operation mean_operation(const Tensor& x, const Axes& axes, Axis reduced) {
  const Reduced plan("mean", x, axes);
  plan.require_elements("mean", x);
  const Real share = 1 / static_cast<Real>(plan.count);
  return {"mean", sum_along(x, plan).with_shape(plan.shape(reduced)) * share,
          [share, kept = plan.kept, shape = x.shape()](const Tensor& dy) {
            return broadcast_to(dy.with_shape(kept) * share, shape);
          }};
}

Operation variance_operation(const Tensor& x, const Axes& axes, Axis reduced) {
  const Reduced plan("variance", x, axes);
  plan.require_elements("variance", x);
  const Real share = 1 / static_cast<Real>(plan.count);
  const Tensor mean = sum_along(x, plan) * share;
  return {"variance", sum_squares_along(x, mean, plan).with_shape(plan.shape(reduced)) * share,
          [x, mean, share, kept = plan.kept](const Tensor& dy) {
            return zip("variance", x - mean, dy.with_shape(kept) * (2 * share),  // the mean's slope sums to 0
                       [](Real distance, Real d) { return distance * d; });
          }};
}

Operation max_operation(const Tensor& x, const Axes& axes, Axis reduced) {
  const Reduced plan("max", x, axes);
  plan.require_elements("max", x);
  const Real lowest = -std::numeric_limits<Real>::infinity();
  return extreme("max", x, extreme_along(x, plan, lowest, [](Real a, Real b) { return a > b; }), plan,
                 reduced);
}

Operation min_operation(const Tensor& x, const Axes& axes, Axis reduced) {
  const Reduced plan("min", x, axes);
  plan.require_elements("min", x);
  const Real highest = std::numeric_limits<Real>::infinity();
  return extreme("min", x, extreme_along(x, plan, highest, [](Real a, Real b) { return a < b; }), plan,
                 reduced);
}

Operation cumsum_operation(const Tensor& x, Index axis) {
  check_defined("cumsum", "x", x);
  const AxisView view("cumsum", x.shape(), axis);
  const auto running = [view](const Tensor& terms, bool from_the_end) {
    constexpr Index side_by_side = 32;
    const Index blocks = (view.inner + side_by_side - 1) / side_by_side;
    Tensor sums(terms.shape());
    if (sums.size() == 0) return sums;
    parallel_rows(view.outer * blocks, view.size * std::min(view.inner, side_by_side),
                  [=, from = terms.data(), to = sums.unguarded_data()](Index first, Index last) {
                    for (Index part = first; part < last; ++part) {
                      const Index column = part % blocks * side_by_side;
                      const Index start = part / blocks * view.size * view.inner + column;
                      const Index columns = std::min(side_by_side, view.inner - column);
                      double total[side_by_side] = {};
                      for (Index i = 0; i < view.size; ++i) {
                        const Index at = start + (from_the_end ? view.size - 1 - i : i) * view.inner;
                        for (Index c = 0; c < columns; ++c)
                          to[at + c] = static_cast<Real>(total[c] += static_cast<double>(from[at + c]));
                      }
                    }
                  });
    return sums;
  };
  return {"cumsum", running(x, false), [running](const Tensor& dy) { return running(dy, true); }};
}

Indices argmax(const Tensor& x, Index axis) {
  check_defined("argmax", "x", x);
  axis = x.shape().normalized_axis(axis, "argmax");
  const AxisView view("argmax", x.shape(), axis);
  Shape shape = x.shape().slice(0, axis);
  for (Index size : x.shape().slice(axis + 1, x.rank())) shape.push_back(size);
  if (view.size == 0 && shape.size() > 0)
    throw std::invalid_argument(text("argmax: there must be elements: x is ", x.shape(), ", axis is ", axis));
  std::vector<std::int32_t> places;
  places.reserve(static_cast<std::size_t>(shape.size()));
  for (Index line = 0; line < shape.size(); ++line) {
    const Real* from = x.data() + line / view.inner * view.size * view.inner + line % view.inner;
    Index best = 0;
    for (Index i = 1; i < view.size; ++i) {
      const Real before = from[best * view.inner], here = from[i * view.inner];
      if (before == before && !(here <= before)) best = i;
    }
    places.push_back(static_cast<std::int32_t>(best));
  }
  return Indices(shape, std::move(places));
}

Tensor sum_products(const Tensor& a, const Tensor& b, const Axes& axes) {
  check_defined("sum_products", "b", b);
  const Reduced plan("sum_products", a, axes);
  check_shape("sum_products", "b", b, a.shape());
  return plan.axes.empty() ? a * b : sum_products_along(a, b, plan);
}

Tensor column_sums(const Tensor& x, Index width) {
  check_defined("column_sums", "x", x);
  if (width < 0 || (width == 0 ? x.size() : x.size() % width) != 0)
    throw std::invalid_argument(
        text("column_sums: the width must divide the elements: x is ", x.shape(), ", width is ", width));
  Tensor sums(Shape{width});
  sum_columns([from = x.data()](Index i, Index) { return from[i]; }, width == 0 ? 0 : x.size() / width, width,
              sums.unguarded_data());
  return sums;
}

}  // namespace gradual
