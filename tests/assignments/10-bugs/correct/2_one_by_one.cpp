// One parameter at a time.
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/layers/optimizer.hpp>
#include <gradual/nn/training/optimizer.hpp>

namespace gradual {

void Adam::step(double learning_rate, double gradient_scale) {
  ++steps_;
  AdamStep each;
  each.beta1 = static_cast<Real>(options_.beta1);
  each.beta2 = static_cast<Real>(options_.beta2);
  each.epsilon = static_cast<Real>(options_.epsilon);
  each.rate = static_cast<Real>(learning_rate);
  double power1 = 1, power2 = 1;
  for (Index i = 0; i < steps_; ++i) {
    power1 *= options_.beta1;
    power2 *= options_.beta2;
  }
  each.correction1 = static_cast<Real>(1 - power1);
  each.correction2 = static_cast<Real>(1 - power2);
  each.scale = static_cast<Real>(gradient_scale);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Var& p = parameters_[i].variable;
    if (!p.grad().defined()) continue;
    const bool is_weight = p.value().rank() >= 2;
    const Real decay = is_weight ? static_cast<Real>(learning_rate * options_.weight_decay) : Real(0);
    adam_step(each, {{p.grad().data(), p.unguarded_data(), m_[i].mutable_data(), v_[i].mutable_data(),
                      p.size(), decay}});
  }
}

}  // namespace gradual
