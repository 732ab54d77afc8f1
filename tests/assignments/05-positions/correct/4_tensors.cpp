// Whole tensors: x·cos + (x with its pairs turned by a quarter)·sin.
#include <cmath>

#include <gradual/core/attention/rotary.hpp>
#include <gradual/core/elements/arithmetic.hpp>

namespace gradual {

Tensor rotate(const Tensor& x, const Rotation& r) {
  const Index N = x.dim(1), W = x.dim(2);
  Tensor quarter = x, cosines({N, W}), sines({N, W});
  for (Index at = 0; at + 1 < x.size(); at += 2) {
    quarter.mutable_data()[at] = -x.data()[at + 1];
    quarter.mutable_data()[at + 1] = x.data()[at];
  }
  for (Index at = 0; at < N * W; ++at) {
    const Index column = at % W, even = column % r.head_width / 2 * 2;
    const double speed = column < r.columns ? std::pow(10000.0, -double(even) / double(r.head_width)) : 0;
    cosines.mutable_data()[at] = Real(std::cos(double(r.first_place + at / W) * speed));
    sines.mutable_data()[at] = Real(std::sin(double(r.first_place + at / W) * speed));
  }
  return x * cosines + quarter * sines;
}

}  // namespace gradual
