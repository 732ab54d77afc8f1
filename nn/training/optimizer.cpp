#include <gradual/nn/training/optimizer.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/layers/optimizer.hpp>

namespace gradual {
namespace {

std::vector<Tensor> zeros_like(const std::vector<NamedParameter>& parameters) {
  std::vector<Tensor> result;
  for (const NamedParameter& parameter : parameters)
    result.push_back(Tensor::zeros(parameter.variable.shape()));
  return result;
}

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

void append(NamedTensors& state, const char* prefix, const std::vector<NamedParameter>& parameters,
            const std::vector<Tensor>& tensors) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    state.emplace_back(prefix + parameters[i].name, tensors[i]);
}

const Tensor& find(const NamedTensors& state, const std::string& name, const Shape& shape) {
  const auto found =
      std::find_if(state.begin(), state.end(), [&](const auto& each) { return each.first == name; });
  if (found == state.end())
    throw std::invalid_argument(text("optimizer: the state must hold every tensor: no \"", name, "\""));
  if (found->second.shape() != shape)
    throw std::invalid_argument(text("optimizer: a stored tensor must fit its parameter: \"", name, "\" is ",
                                     found->second.shape(), ", the parameter is ", shape));
  return found->second;
}

void restore(const NamedTensors& state, const char* prefix, const std::vector<NamedParameter>& parameters,
             std::vector<Tensor>& tensors) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    tensors[i] = find(state, prefix + parameters[i].name, parameters[i].variable.shape());
}

}  // namespace

double gradient_norm(const std::vector<NamedParameter>& parameters) {
  std::vector<Tensor> gradients;
  for (const NamedParameter& parameter : parameters) gradients.push_back(parameter.variable.grad());
  return std::sqrt(sum_of_squares(gradients));
}

double clipping_scale(double norm, double most) { return norm > most ? most / norm : 1; }

Sgd::Sgd(std::vector<NamedParameter> parameters, double momentum)
    : parameters_(std::move(parameters)), momentum_(momentum), velocities_(zeros_like(parameters_)) {}

void Sgd::step(double learning_rate, double gradient_scale) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Var& parameter = parameters_[i].variable;
    if (!parameter.grad().defined()) continue;
    Tensor& velocity = velocities_[i];
    velocity = velocity * static_cast<Real>(momentum_) + parameter.grad() * static_cast<Real>(gradient_scale);
    parameter.set_value(parameter.value() - velocity * static_cast<Real>(learning_rate));
  }
}

NamedTensors Sgd::state() const {
  NamedTensors result;
  append(result, "velocity.", parameters_, velocities_);
  return result;
}

void Sgd::set_state(const NamedTensors& state) { restore(state, "velocity.", parameters_, velocities_); }

Adam::Adam(std::vector<NamedParameter> parameters, AdamOptions options)
    : parameters_(std::move(parameters)),
      options_(options),
      m_(zeros_like(parameters_)),
      v_(zeros_like(parameters_)) {}

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

NamedTensors Adam::state() const {
  NamedTensors result{{"steps", Tensor::scalar(static_cast<Real>(steps_))}};
  append(result, "m.", parameters_, m_);
  append(result, "v.", parameters_, v_);
  return result;
}

void Adam::set_state(const NamedTensors& state) {
  steps_ = static_cast<Index>(find(state, "steps", {}).item());
  restore(state, "m.", parameters_, m_);
  restore(state, "v.", parameters_, v_);
}

}  // namespace gradual
