// Without adam_step, in loops.
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/layers/optimizer.hpp>
#include <gradual/nn/training/optimizer.hpp>

namespace gradual {

void Adam::step(double learning_rate, double gradient_scale) {
  ++steps_;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Var& parameter = parameters_[i].variable;
    if (!parameter.grad().defined()) continue;
    const Real* gradient = parameter.grad().data();
    Tensor value = parameter.value();
    Real *p = value.mutable_data(), *m = m_[i].mutable_data(), *v = v_[i].mutable_data();
    const double b1 = options_.beta1, b2 = options_.beta2, t = static_cast<double>(steps_);
    for (Index j = 0; j < value.size(); ++j) {
      const double g = gradient_scale * double(gradient[j]);
      m[j] = static_cast<Real>(b1 * double(m[j]) + (1 - b1) * g);
      v[j] = static_cast<Real>(b2 * double(v[j]) + (1 - b2) * g * g);
      const double unbiased = double(m[j]) / (1 - std::pow(b1, t));
      const double size = std::sqrt(double(v[j]) / (1 - std::pow(b2, t))) + options_.epsilon;
      double next = double(p[j]);
      if (value.rank() > 1) next *= 1 - learning_rate * options_.weight_decay;
      p[j] = static_cast<Real>(next - learning_rate * unbiased / size);
    }
    parameter.set_value(value);
  }
}

}  // namespace gradual
