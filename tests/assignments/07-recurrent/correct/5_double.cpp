#include <cmath>
#include <vector>

#include <gradual/core/attention/additive.hpp>

namespace gradual {

// Sums in double, written down at the end.
AdditiveGradients additive_scores_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                           const Tensor& dy) {
  const Index T = q.dim(1), S = k.dim(1), H = v.dim(0);
  const auto zeros = [](const Tensor& x) { return std::vector<double>(static_cast<std::size_t>(x.size())); };
  std::vector<double> dq = zeros(q), dk = zeros(k), dv = zeros(v);
  for (Index at = 0; at < dy.size() * H; ++at) {
    const Index h = at % H, s = at / H % S, row = at / H / S, key = (row / T * S + s) * H + h;
    const double a = std::tanh(double(q.data()[row * H + h]) + double(k.data()[key])), d = double(dy.data()[at / H]);
    dq[static_cast<std::size_t>(row * H + h)] += d * double(v.data()[h]) * (1 - a * a);
    dk[static_cast<std::size_t>(key)] += d * double(v.data()[h]) * (1 - a * a);
    dv[static_cast<std::size_t>(h)] += d * a;
  }
  const auto written = [](const std::vector<double>& sums, const Tensor& like) {
    Tensor x(like.shape());
    for (std::size_t i = 0; i < sums.size(); ++i) x.mutable_data()[i] = static_cast<Real>(sums[i]);
    return x;
  };
  return {written(dq, q), written(dk, k), written(dv, v)};
}

}  // namespace gradual
