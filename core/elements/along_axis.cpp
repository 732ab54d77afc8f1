// What walks along one axis: running sums, and the place of the largest element.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/axis_view.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {

Operation cumsum_operation(const Tensor& x, Index axis) {
  check_defined("cumsum", "x", x);
  const AxisView view("cumsum", x.shape(), axis);
  const auto running = [view](const Tensor& terms, bool from_the_end) {
    constexpr Index side_by_side = 32;
    const Index blocks = (view.inner + side_by_side - 1) / side_by_side;
    Tensor sums(terms.shape());
    if (sums.size() == 0) return sums;
    parallel_each_row(view.outer * blocks, view.size * std::min(view.inner, side_by_side),
                      [=, from = terms.data(), to = sums.unguarded_data()](Index part) {
                        const Index column = part % blocks * side_by_side;
                        const Index start = part / blocks * view.size * view.inner + column;
                        const Index columns = std::min(side_by_side, view.inner - column);
                        double total[side_by_side] = {};
                        for (Index i = 0; i < view.size; ++i) {
                          const Index at = start + (from_the_end ? view.size - 1 - i : i) * view.inner;
                          for (Index c = 0; c < columns; ++c)
                            to[at + c] = static_cast<Real>(total[c] += static_cast<double>(from[at + c]));
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
  if (view.size > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument(
        text("argmax: places must fit 31 bits: x is ", x.shape(), ", axis is ", axis));
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

}  // namespace gradual
