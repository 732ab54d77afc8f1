// The whole matrix of slopes of a row: ∂x̂_j/∂x_i = ([i = j] - 1/N - x̂_i·x̂_j/N)/deviation.
#include <gradual/core/rows/norms.hpp>

namespace gradual {

NormGradients layer_norm_backward(const Tensor& x, const Tensor& gain, const NormStatistics& statistics,
                                  const Tensor& dy, Tensor& dx, bool accumulate) {
  const Index N = gain.size(), rows = x.size() / N;
  Tensor own = Tensor::zeros(x.shape());
  NormGradients sums{Tensor::zeros({N}), Tensor::zeros({N})};
  for (Index r = 0; r < rows; ++r) {
    const double inverse = double(statistics.inverse_deviation.data()[r]),
                 mean = double(statistics.mean.data()[r]);
    const auto normal = [&](Index i) { return (double(x.data()[r * N + i]) - mean) * inverse; };
    for (Index j = 0; j < N; ++j) {
      const double upstream = double(dy.data()[r * N + j]);
      sums.gain.mutable_data()[j] += Real(upstream * normal(j));
      sums.bias.mutable_data()[j] += Real(upstream);
      for (Index i = 0; i < N; ++i)
        own.mutable_data()[r * N + i] += Real(upstream * double(gain.data()[j]) * inverse *
                                              ((i == j ? 1 : 0) - (1 + normal(i) * normal(j)) / double(N)));
    }
  }
  for (Index i = 0; i < x.size(); ++i) dx.mutable_data()[i] = own.data()[i] + (accumulate ? dx.data()[i] : 0);
  return sums;
}

}  // namespace gradual
