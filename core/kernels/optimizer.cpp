#include <gradual/core/kernels/optimizer.hpp>

#include <cmath>

#include <gradual/core/threads.hpp>

namespace gradual {

double sum_of_squares(const Tensor& x) {
  constexpr Index piece = 65536;
  const Index pieces = (x.size() + piece - 1) / piece;
  std::vector<double> partial(static_cast<std::size_t>(pieces));
  parallel_for(pieces, [&, from = x.data()](Index p) {
    double total = 0;
    const Index end = std::min(x.size(), (p + 1) * piece);
#pragma omp simd reduction(+ : total)
    for (Index i = p * piece; i < end; ++i)
      total += static_cast<double>(from[i]) * static_cast<double>(from[i]);
    partial[static_cast<std::size_t>(p)] = total;
  });
  double total = 0;
  for (double each : partial) total += each;
  return total;
}

void adam_step(const AdamStep& step, const Tensor& gradient, Real* parameter, Tensor& m, Tensor& v) {
  const Real step_size = step.rate / step.correction1;
  const Real inverse_root = 1 / std::sqrt(step.correction2);
  parallel_elements(gradient.size(), [=, g = gradient.data(), first_moment = m.mutable_data(),
                                      second_moment = v.mutable_data()](Index first, Index last) {
#pragma omp simd
    for (Index i = first; i < last; ++i) {
      const Real slope = g[i] * step.scale;
      const Real mean = step.beta1 * first_moment[i] + (1 - step.beta1) * slope;
      const Real square = step.beta2 * second_moment[i] + (1 - step.beta2) * slope * slope;
      first_moment[i] = mean;
      second_moment[i] = square;
      parameter[i] = parameter[i] * (1 - step.decay) -
                     step_size * mean / (std::sqrt(square) * inverse_root + step.epsilon);
    }
  });
}

}  // namespace gradual
