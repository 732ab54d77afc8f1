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
  if (!whole || x.rank() != 3 || r.columns > x.dim(2))
    throw std::invalid_argument(
        text("rotary: x must be [B, N, W] with at least the columns to turn, which are "
             "whole heads of an even width: x is ",
             x.shape(), ", columns are ", r.columns, ", the head width is ", r.head_width));
}

// cos θ and sin θ of each place and pair of a head, [N, d/2, 2].
std::vector<Real> angles(Index places, const Rotation& rotation, double sign) {
  std::vector<Real> table;
  for (Index n = 0; n < places; ++n) {
    for (Index column = 0; column < rotation.head_width; column += 2) {
      const double exponent = static_cast<double>(column) / static_cast<double>(rotation.head_width);
      const double angle = sign * static_cast<double>(rotation.first_place + n) / std::pow(10000.0, exponent);
      table.push_back(static_cast<Real>(std::cos(angle)));
      table.push_back(static_cast<Real>(std::sin(angle)));
    }
  }
  return table;
}

Tensor turned(const Tensor& x, const Rotation& rotation, double sign) {
  check(x, rotation);
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
