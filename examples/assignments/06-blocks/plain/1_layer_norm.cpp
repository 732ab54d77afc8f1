// The plain version: row by row.
#include <cmath>

#include <gradual/core/rows/norms.hpp>

namespace gradual {

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, Real epsilon,
                  NormStatistics& statistics) {
  const Index D = x.dim(-1), rows = x.size() / D;
  const Real count = static_cast<Real>(D);
  statistics = {Tensor({rows}), Tensor({rows})};
  Tensor y(x.shape());
  for (Index r = 0; r < rows; ++r) {
    const Real* row = x.data() + r * D;
    Real* to = y.mutable_data() + r * D;
    Real mean = 0, variance = 0;
    for (Index i = 0; i < D; ++i) mean += row[i] / count;
    for (Index i = 0; i < D; ++i) variance += (row[i] - mean) * (row[i] - mean) / count;
    const Real inverse = 1 / std::sqrt(variance + epsilon);
    for (Index i = 0; i < D; ++i) to[i] = (row[i] - mean) * inverse * gain.data()[i] + bias.data()[i];
    statistics.mean.mutable_data()[r] = mean;
    statistics.inverse_deviation.mutable_data()[r] = inverse;
  }
  return y;
}

}  // namespace gradual
