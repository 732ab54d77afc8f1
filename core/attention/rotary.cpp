#include <gradual/core/attention/rotary.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

void check(const Tensor& x, const Rotation& r) {
  const bool whole = r.head_width > 0 && r.head_width % 2 == 0 && r.columns % r.head_width == 0;
  if (!whole || x.rank() != 3 || r.columns < 0 || r.columns > x.dim(2))
    throw std::invalid_argument(
        text("rotate: x must be [B, N, W] with at least the columns to turn, which are "
             "whole heads of an even width: x is ",
             x.shape(), ", columns are ", r.columns, ", the head width is ", r.head_width));
}

// cos θ and sin θ of each place and pair of a head, [N, d/2, 2].
std::vector<Real> angles(Index places, const Rotation& rotation, double sign) {
  const Index d = rotation.head_width;
  std::vector<Real> table(static_cast<std::size_t>(places * d));
  for (Index column = 0; column < d; column += 2) {
    const double slowness = std::pow(10000.0, static_cast<double>(column) / static_cast<double>(d));
    for (Index n = 0; n < places; ++n) {
      const double place = static_cast<double>(rotation.first_place) + static_cast<double>(n);
      const auto entry = static_cast<std::size_t>(n * d + column);
      table[entry] = static_cast<Real>(std::cos(sign * place / slowness));
      table[entry + 1] = static_cast<Real>(std::sin(sign * place / slowness));
    }
  }
  return table;
}

Tensor turned(const Tensor& x, const Rotation& rotation, double sign) {
  check(x, rotation);
  if (rotation.columns == 0 || x.size() == 0) return x;
  const Index N = x.dim(1), width = x.dim(2), d = rotation.head_width, columns = rotation.columns;
  const std::vector<Real> table = angles(N, rotation, sign);
  Tensor y(x.shape());
  parallel_rows(x.dim(0) * N, width, [&, from = x.data(), to = y.unguarded_data()](Index first, Index last) {
    for (Index row = first; row < last; ++row) {
      const Real* turns = table.data() + row % N * d;
      const Real* in = from + row * width;
      Real* out = to + row * width;
      for (Index head = 0; head < columns; head += d) {
#pragma omp simd
        for (Index i = 0; i < d; i += 2) {
          const Real a = in[head + i], b = in[head + i + 1];
          out[head + i] = a * turns[i] - b * turns[i + 1];
          out[head + i + 1] = a * turns[i + 1] + b * turns[i];
        }
      }
      std::copy(in + columns, in + width, out + columns);
    }
  });
  return y;
}

}  // namespace

Tensor rotate(const Tensor& x, const Rotation& rotation) { return turned(x, rotation, 1); }
Tensor rotate_back(const Tensor& x, const Rotation& rotation) { return turned(x, rotation, -1); }

}  // namespace gradual
