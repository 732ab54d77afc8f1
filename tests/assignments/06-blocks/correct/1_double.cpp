// In double, with the deviation divided by.
#include <cmath>
#include <numeric>
#include <vector>

#include <gradual/core/rows/norms.hpp>

namespace gradual {

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, Real epsilon,
                  NormStatistics& statistics) {
  const Index width = gain.size();
  std::vector<Real> numbers, means, inverses;
  for (const Real* row = x.begin(); row != x.end(); row += width) {
    const double mean = std::accumulate(row, row + width, 0.0) / double(width);
    double squares = 0;
    for (Index i = 0; i < width; ++i) squares += std::pow(double(row[i]) - mean, 2);
    const double deviation = std::sqrt(squares / double(width) + double(epsilon));
    for (Index i = 0; i < width; ++i)
      numbers.push_back(
          Real((double(row[i]) - mean) / deviation * double(gain.data()[i]) + double(bias.data()[i])));
    means.push_back(Real(mean));
    inverses.push_back(Real(1 / deviation));
  }
  const Shape rows{Index(means.size())};
  statistics = {Tensor(rows, means), Tensor(rows, inverses)};
  return Tensor(x.shape(), numbers);
}

}  // namespace gradual
