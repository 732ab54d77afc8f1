#include <gradual/nn/training/optimizer.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/layers/optimizer.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/training/averaging.hpp>

namespace gradual {
namespace {

std::vector<Tensor> zeros_like(const std::vector<NamedParameter>& parameters) {
  std::vector<Tensor> result;
  for (const NamedParameter& parameter : parameters)
    result.push_back(Tensor::zeros(parameter.variable.shape()));
  return result;
}

void append(NamedTensors& state, const char* prefix, const std::vector<NamedParameter>& parameters,
            const std::vector<Tensor>& tensors) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    state.emplace_back(prefix + parameters[i].name, tensors[i]);
}

const Tensor& stored(const NamedTensors& state, const std::string& name, const Shape& shape) {
  const Tensor* const found = find_tensor(state, name);
  if (!found)
    throw std::invalid_argument(text("optimizer: the state must hold every tensor: no \"", name, "\""));
  if (found->shape() != shape)
    throw std::invalid_argument(text("optimizer: a stored tensor must fit its parameter: \"", name, "\" is ",
                                     found->shape(), ", the parameter is ", shape));
  return *found;
}

void restore(const NamedTensors& state, const char* prefix, const std::vector<NamedParameter>& parameters,
             std::vector<Tensor>& tensors) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    tensors[i] = stored(state, prefix + parameters[i].name, parameters[i].variable.shape());
}

// The rows of the matrices that Muon makes orthogonal, one below the other: all, or those of queries [D, D],
// keys and values [G·d, D] where these are packed.
std::vector<Index> heights_of(const NamedParameter& matrix) {
  const Index rows = matrix.variable.shape()[0], columns = matrix.variable.shape()[1];
  const std::string packed = "attention.weight";
  const std::string& name = matrix.name;
  const bool is_packed = rows > columns && rows <= 3 * columns && (rows - columns) % 2 == 0 &&
                         name.size() >= packed.size() &&
                         name.compare(name.size() - packed.size(), packed.size(), packed) == 0;
  if (!is_packed) return {rows};
  const Index keys = (rows - columns) / 2;
  return {columns, keys, keys};
}

// a + b·S + c·S² for S [n, n]: what a step of the Newton–Schulz iteration multiplies X by, where S is X·Xᵀ.
Tensor newton_schulz_factor(const Tensor& squares) {
  constexpr Real a = Real(3.4445), b = Real(-4.7750), c = Real(2.0315);
  Tensor factor = squares * b + matmul(squares, squares) * c;
  Real* const numbers = factor.unguarded_data();
  for (Index i = 0; i < factor.size(); i += factor.dim(0) + 1) numbers[i] += a;
  return factor;
}

std::vector<NamedParameter> others(const std::vector<NamedParameter>& parameters,
                                   bool (*is_one)(const NamedParameter&)) {
  std::vector<NamedParameter> result;
  for (const NamedParameter& parameter : parameters)
    if (!is_one(parameter)) result.push_back(parameter);
  return result;
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
      v_(zeros_like(parameters_)) {
  const auto is_share = [](double beta) { return beta >= 0 && beta < 1; };
  if (!is_share(options.beta1) || !is_share(options.beta2) || !(options.epsilon >= 0) ||
      !(options.weight_decay >= 0))
    throw std::invalid_argument(
        text("adam: betas must lie in [0, 1), epsilon and weight decay must not be negative: beta1 is ",
             options.beta1, ", beta2 ", options.beta2, ", epsilon ", options.epsilon, ", weight decay ",
             options.weight_decay));
}

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
  steps_ = static_cast<Index>(stored(state, "steps", {}).item());
  restore(state, "m.", parameters_, m_);
  restore(state, "v.", parameters_, v_);
}

Tensor orthogonalized(const Tensor& matrix) {
  if (matrix.rank() != 2)
    throw std::invalid_argument(
        text("muon: what is made orthogonal must be a matrix: it is ", matrix.shape()));
  constexpr int steps = 5;
  const bool is_tall = matrix.dim(0) > matrix.dim(1);
  // The smaller of the two products, which both have the singular values' squares.
  const auto squares_of = [&](const Tensor& x) { return matmul(x, x, {is_tall, !is_tall}); };
  const auto product = [&](const Tensor& factor, const Tensor& x) {
    return is_tall ? matmul(x, factor) : matmul(factor, x);
  };
  Tensor x = matrix * static_cast<Real>(1 / (std::sqrt(sum_of_squares({matrix})) + 1e-7));
  Tensor squares = squares_of(x), factor = newton_schulz_factor(squares);
  const Index narrow = squares.dim(0), wide = std::max(matrix.dim(0), matrix.dim(1));
  if (2 * wide < 3 * narrow) {
    for (int step = 1; step < steps; ++step) {
      x = product(factor, x);
      factor = newton_schulz_factor(squares_of(x));
    }
    return product(factor, x);
  }
  // All factors are polynomials of the first squares, so any two can change places. They are multiplied among
  // themselves, being small, and a long matrix by the last product alone: 2n²w + 17n³ multiplications instead
  // of 10n²w + 5n³.
  Tensor factors = factor;
  for (int step = 1; step < steps; ++step) {
    squares = matmul(matmul(factor, squares), factor);
    factor = newton_schulz_factor(squares);
    factors = matmul(factor, factors);
  }
  return product(factors, x);
}

bool Muon::is_hidden_matrix(const NamedParameter& parameter) {
  const auto has = [&](const char* part) { return parameter.name.find(part) != std::string::npos; };
  return parameter.variable.rank() == 2 && !has("embedding") && !has("positions") &&
         parameter.name != "output.weight";
}

Muon::Muon(std::vector<NamedParameter> parameters, MuonOptions options)
    : options_(options), adam_(others(parameters, is_hidden_matrix), options.adam) {
  for (NamedParameter& parameter : parameters)
    if (is_hidden_matrix(parameter)) matrices_.push_back(std::move(parameter));
  momenta_ = zeros_like(matrices_);
}

void Muon::step(double learning_rate, double gradient_scale) {
  adam_.step(learning_rate, gradient_scale);
  const auto momentum = static_cast<Real>(options_.momentum), share = static_cast<Real>(gradient_scale);
  const auto kept = static_cast<Real>(1 - learning_rate * options_.adam.weight_decay);
  const double rate = learning_rate * options_.scale;
  parallel_tasks(static_cast<Index>(matrices_.size()), [&](Index task) {
    const auto i = static_cast<std::size_t>(task);
    Var& matrix = matrices_[i].variable;
    if (!matrix.grad().defined()) return;
    const Index columns = matrix.shape()[1];
    const Tensor slope = matrix.grad() * share;
    momenta_[i] = momenta_[i] * momentum + slope;
    const Tensor ahead = slope + momenta_[i] * momentum;
    std::vector<Tensor> moves;
    Index row = 0;
    for (const Index height : heights_of(matrices_[i])) {
      const double length = rate * std::sqrt(static_cast<double>(std::max(height, columns)));
      moves.push_back(orthogonalized(ahead.rows(row, row + height)) * static_cast<Real>(length));
      row += height;
    }
    matrix.set_value(matrix.value() * kept - concat(moves, 0));
  });
}

NamedTensors Muon::state() const {
  NamedTensors result = adam_.state();
  append(result, "momentum.", matrices_, momenta_);
  return result;
}

void Muon::set_state(const NamedTensors& state) {
  adam_.set_state(state);
  restore(state, "momentum.", matrices_, momenta_);
}

}  // namespace gradual
