#include <gradual/core/reference/elements.hpp>

#if __has_include(<xtensor/xstrided_view.hpp>)
#include <xtensor/xstrided_view.hpp>
#else  // 0.26 and later
#include <xtensor/views/xstrided_view.hpp>
#endif

namespace gradual::reference {
namespace {

double count_of(const Array& x, const std::vector<Index>& axes) {
  double count = 1;
  for (const Index axis : axes) count *= static_cast<double>(x.shape(static_cast<std::size_t>(axis)));
  return count;
}

// Calls body(place, named) for every place of three axes, and the place in x that the index there names.
template <class Body>
void for_each_index(Index axis, const Indices& indices, Body body) {
  std::array<Index, 3> at{};
  for (at[0] = 0; at[0] < indices.dim(0); ++at[0])
    for (at[1] = 0; at[1] < indices.dim(1); ++at[1])
      for (at[2] = 0; at[2] < indices.dim(2); ++at[2]) {
        std::array<Index, 3> named = at;
        named[static_cast<std::size_t>(axis)] =
            indices[(at[0] * indices.dim(1) + at[1]) * indices.dim(2) + at[2]];
        body(at, named);
      }
}

}  // namespace

Array sum_to(const Array& x, const Shape& shape) {
  Array y = x;
  while (static_cast<Index>(y.dimension()) > shape.rank()) y = Array(xt::sum(y, {0}));
  for (Index axis = 0; axis < shape.rank(); ++axis)
    if (shape[axis] == 1)
      y = reference::sum(y, std::vector<Index>{axis});  // not xt::sum, which a brace would prefer
  return y;
}

Array sum(const Array& x, const std::vector<Index>& axes) { return xt::sum(x, axes, xt::keep_dims); }

Array max(const Array& x, const std::vector<Index>& axes) { return xt::amax(x, axes, xt::keep_dims); }

Array max_backward(const Array& x, const std::vector<Index>& axes, const Array& dy) {
  const Array is_largest = xt::cast<double>(xt::equal(x, max(x, axes)));
  const Array how_many = sum(is_largest, axes);
  return is_largest * dy / how_many;
}

Array variance(const Array& x, const std::vector<Index>& axes) {
  const Array mean = sum(x, axes) / count_of(x, axes), squares = xt::square(x - mean);
  return sum(squares, axes) / count_of(x, axes);
}

Array variance_backward(const Array& x, const std::vector<Index>& axes, const Array& dy) {
  const Array mean = sum(x, axes) / count_of(x, axes);
  return 2 / count_of(x, axes) * (x - mean) * dy;
}

Array cumsum(const Array& x, Index axis) { return xt::cumsum(x, axis); }

Array cumsum_backward(const Array& dy, Index axis) {
  const auto along = static_cast<std::size_t>(axis);
  const Array backwards = xt::flip(dy, along), sums = xt::cumsum(backwards, axis);
  return xt::flip(sums, along);
}

Array transpose(const Array& x, const std::vector<Index>& order) {
  return xt::transpose(x, std::vector<std::size_t>(order.begin(), order.end()));
}

Array slice(const Array& x, Index axis, Index first, Index last) {
  xt::xstrided_slice_vector ranges(x.dimension(), xt::all());
  ranges[static_cast<std::size_t>(axis)] = xt::range(first, last);
  return xt::strided_view(x, ranges);
}

Array gather(const Array& x, Index axis, const Indices& indices) {
  Array y = xt::zeros<double>(xtensor_shape(indices.shape()));
  for_each_index(axis, indices, [&](const auto& at, const auto& named) { y[at] = x[named]; });
  return y;
}

Array gather_backward(const Array& x, Index axis, const Indices& indices, const Array& dy) {
  Array dx = xt::zeros_like(x);
  for_each_index(axis, indices, [&](const auto& at, const auto& named) { dx[named] += dy[at]; });
  return dx;
}

Array take_rows(const Array& table, const Indices& indices) {
  Array y = xt::zeros<double>({static_cast<std::size_t>(indices.size()), table.shape(1)});
  for (Index i = 0; i < indices.size(); ++i) xt::row(y, i) = xt::row(table, indices[i]);
  std::vector<std::size_t> shape = xtensor_shape(indices.shape());
  shape.push_back(table.shape(1));
  return y.reshape(shape);
}

Array take_rows_backward(const Array& table, const Indices& indices, const Array& dy) {
  Array d_table = xt::zeros_like(table), rows = dy;
  rows.reshape({static_cast<std::size_t>(indices.size()), table.shape(1)});
  for (Index i = 0; i < indices.size(); ++i) xt::row(d_table, indices[i]) += xt::row(rows, i);
  return d_table;
}

}  // namespace gradual::reference
