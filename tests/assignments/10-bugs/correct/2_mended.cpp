// The one place mended.
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/layers/optimizer.hpp>
#include <gradual/nn/training/optimizer.hpp>

namespace gradual {

void Adam::step(double learning_rate, double gradient_scale) {
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const AdamStep step{static_cast<Real>(options_.beta1),
                      static_cast<Real>(options_.beta2),
                      static_cast<Real>(options_.epsilon),
                      static_cast<Real>(learning_rate),
                      static_cast<Real>(1 - std::pow(options_.beta1, t)),
                      static_cast<Real>(1 - std::pow(options_.beta2, t)),
                      static_cast<Real>(gradient_scale)};
  std::vector<AdamParameter> updates;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Var& parameter = parameters_[i].variable;
    if (!parameter.grad().defined()) continue;
    const double decay = parameter.rank() > 1 ? learning_rate * options_.weight_decay : 0;
    updates.push_back({parameter.grad().data(), parameter.unguarded_data(), m_[i].unguarded_data(),
                       v_[i].unguarded_data(), parameter.size(), static_cast<Real>(decay)});
  }
  adam_step(step, updates);
}

}  // namespace gradual
