#include <cmath>

#include <gradual/core/attention/additive.hpp>

namespace gradual {

// Every score by itself, in double.
Tensor additive_scores(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index T = q.dim(1), S = k.dim(1);
  Tensor y = Tensor::zeros({q.dim(0), T, S});
  for (Index at = 0; at < y.size(); ++at) {
    const Index s = at % S, t = at / S % T, b = at / S / T;
    double score = 0;
    for (Index h = 0; h < v.size(); ++h)
      score += double(v.data()[h]) * std::tanh(double(q({b, t, h})) + double(k({b, s, h})));
    y.mutable_data()[at] = static_cast<Real>(score);
  }
  return y;
}

}  // namespace gradual
