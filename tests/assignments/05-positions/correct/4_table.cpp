// A table of angles first; then all rows by it.
#include <cmath>
#include <vector>

#include <gradual/core/attention/rotary.hpp>

namespace gradual {

Tensor rotate(const Tensor& x, const Rotation& r) {
  const Index N = x.dim(1), W = x.dim(2);
  std::vector<double> angles;
  for (Index n = 0; n < N; ++n)
    for (Index i = 0; i < r.head_width / 2; ++i)
      angles.push_back(double(n + r.first_place) / std::pow(10000.0, 2.0 * double(i) / double(r.head_width)));
  Tensor y(x.shape());
  for (Index at = 0; at < x.size(); ++at) {
    const Index column = at % W, n = at / W % N;
    if (column >= r.columns) {
      y.mutable_data()[at] = x.data()[at];
      continue;
    }
    const double angle = angles[std::size_t(n * (r.head_width / 2) + column % r.head_width / 2)];
    const Real c = Real(std::cos(angle)), s = Real(std::sin(angle));
    y.mutable_data()[at] =
        column % 2 == 0 ? x.data()[at] * c - x.data()[at + 1] * s : x.data()[at - 1] * s + x.data()[at] * c;
  }
  return y;
}

}  // namespace gradual
