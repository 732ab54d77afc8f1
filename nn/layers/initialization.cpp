#include <gradual/nn/layers/initialization.hpp>

#include <cmath>

namespace gradual {

Tensor uniform_tensor(const Shape& shape, double limit, Random random) {
  Tensor result(shape);
  Real* values = result.unguarded_data();
  for (Index i = 0; i < result.size(); ++i) values[i] = static_cast<Real>((2 * random.uniform() - 1) * limit);
  return result;
}

Tensor normal_tensor(const Shape& shape, double deviation, Random random) {
  Tensor result(shape);
  Real* values = result.unguarded_data();
  for (Index i = 0; i < result.size(); ++i) values[i] = static_cast<Real>(random.normal() * deviation);
  return result;
}

Tensor glorot_uniform(Index out, Index in, Random random) {
  return uniform_tensor({out, in}, std::sqrt(6.0 / static_cast<double>(in + out)), random);
}

}  // namespace gradual
