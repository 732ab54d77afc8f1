#include <gradual/autograd/gradient_check.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>

namespace gradual {
namespace {

constexpr double epsilon = std::numeric_limits<Real>::epsilon();
constexpr double default_tolerance = sizeof(Real) == sizeof(double) ? 1e-6 : 1e-2;

std::vector<Index> coordinates(const Shape& shape, Index element) {
  std::vector<Index> result(static_cast<std::size_t>(shape.rank()));
  for (Index axis = shape.rank() - 1; axis >= 0; --axis) {
    result[static_cast<std::size_t>(axis)] = element % shape[axis];
    element /= shape[axis];
  }
  return result;
}

// Every choice under which a wrong gradient would pass is refused: with a step below √ε the rounding of the
// loss, and with a tolerance of 1 anything, is as large as the gradient.
void check_options(const GradientCheckOptions& options) {
  const auto refuse = [](const char* rule, auto value) {
    throw std::invalid_argument(text("check_gradients: ", rule, ": got ", value));
  };
  if (options.samples < 0) refuse("samples must be 0, for all elements, or more", options.samples);
  if (options.step != 0 && !(options.step >= std::sqrt(epsilon) && std::isfinite(options.step)))
    refuse("the step must be 0, for the best one, or a number from √ε on", options.step);
  if (options.tolerance != 0 && !(options.tolerance >= epsilon && options.tolerance < 1))
    refuse("the tolerance must be 0, for the usual one, or lie between ε and 1", options.tolerance);
}

// Which elements of a parameter to look at, in ascending order.
std::vector<Index> chosen_elements(Index size, Index samples, Random& random) {
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), Index(0));
  if (samples == 0 || samples >= size) return all;
  std::set<Index> chosen;
  while (static_cast<Index>(chosen.size()) < samples) chosen.insert(random.below(size));
  return {chosen.begin(), chosen.end()};
}

double value_of(const std::function<Var()>& loss) {
  const NoGrad no_grad;
  return static_cast<double>(loss().value().item());
}

// The loss as a function of one element of a parameter, which gets its value back in the end.
class Probe {
 public:
  Probe(const std::function<Var()>& loss, Var parameter, Index element)
      : loss_(loss),
        parameter_(std::move(parameter)),
        element_(element),
        value_(parameter_.value().data()[element]) {}
  ~Probe() { parameter_.unguarded_data()[element_] = value_; }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  double derivative(double step) {
    const double h = step * std::max(1.0, std::abs(static_cast<double>(value_)));
    const double narrow = (loss_at(h) - loss_at(-h)) / distance(h);
    const double wide = (loss_at(2 * h) - loss_at(-2 * h)) / distance(2 * h);
    return (4 * narrow - wide) / 3;
  }

 private:
  Real moved(double by) const { return static_cast<Real>(static_cast<double>(value_) + by); }
  // Twice h as it is after rounding, which in float differs by up to a hundredth of a per cent.
  double distance(double h) const { return static_cast<double>(moved(h)) - static_cast<double>(moved(-h)); }
  double loss_at(double by) {
    parameter_.unguarded_data()[element_] = moved(by);
    return value_of(loss_);
  }

  const std::function<Var()>& loss_;
  Var parameter_;
  const Index element_;
  const Real value_;
};

struct Comparison {
  double difference, relative_error;
};

// Compares with differences over ever smaller steps until they agree; else the closest of them.
Comparison compare(double gradient, Probe& probe, double step, double floor, double tolerance) {
  Comparison closest{0, std::numeric_limits<double>::infinity()};
  for (const double h : {step, step / 8, step / 64}) {
    const double difference = probe.derivative(h);
    double error =
        std::abs(gradient - difference) / std::max({std::abs(gradient), std::abs(difference), floor});
    if (std::isnan(error)) error = std::numeric_limits<double>::infinity();  // what is no number differs
    if (h == step || error < closest.relative_error) closest = {difference, error};
    if (error <= tolerance) break;
  }
  return closest;
}

// Runs the loss forward and backward, and forward again to see that it stays the same; returns its value.
double run_backward(const std::function<Var()>& loss) {
  const Var y = loss();
  if (y.size() != 1)
    throw std::invalid_argument(text("check_gradients: the loss must have one element: its shape is ",
                                     y.shape(), "; make it a scalar with weighted_sum"));
  const double value = static_cast<double>(y.value().item());
  if (!std::isfinite(value))
    throw std::invalid_argument(text("check_gradients: the loss must be a finite number: it is ", value));
  if (y.requires_grad()) backward(y);
  const double again = value_of(loss);
  if (again != value)
    throw std::invalid_argument(text("check_gradients: the loss must be the same each time: it was ", value,
                                     ", then differed by ", again - value,
                                     "; does it draw random numbers, as dropout does?"));
  return value;
}

void check_parameters(const std::vector<std::pair<std::string, Var>>& parameters) {
  if (parameters.empty()) throw std::invalid_argument("check_gradients: there must be a parameter to check");
  Index elements = 0;
  for (const auto& [name, parameter] : parameters) {
    if (!parameter.requires_grad() || !parameter.node()->is_parameter())
      throw std::invalid_argument(text("check_gradients: only gradients of parameters can be checked: \"",
                                       name, "\" is a constant or the result of an operation"));
    elements += parameter.size();
  }
  if (elements == 0)
    throw std::invalid_argument(text("check_gradients: the parameters must have an element to check: \"",
                                     parameters[0].first, "\" is ", parameters[0].second.shape()));
}

void clear_gradients(const std::vector<std::pair<std::string, Var>>& parameters) {
  for (const auto& named : parameters) Var(named.second).zero_grad();
}

}  // namespace

GradientCheck check_gradients(const std::function<Var()>& loss,
                              const std::vector<std::pair<std::string, Var>>& parameters,
                              const GradientCheckOptions& options) {
  check_options(options);
  check_parameters(parameters);
  clear_gradients(parameters);
  const double loss_value = run_backward(loss);
  std::vector<Tensor> gradients;
  for (const auto& named : parameters) gradients.push_back(named.second.grad());
  clear_gradients(parameters);

  GradientCheck check;
  check.tolerance = options.tolerance > 0 ? options.tolerance : default_tolerance;
  const double step = options.step > 0 ? options.step : std::pow(epsilon, 0.2);
  const double floor = 32 * epsilon * std::max(1.0, std::abs(loss_value)) / (step * check.tolerance);
  Random random(options.seed);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto& [name, parameter] = parameters[p];
    const Index different_before = check.different;
    for (const Index i : chosen_elements(parameter.size(), options.samples, random)) {
      const double gradient = gradients[p].defined() ? static_cast<double>(gradients[p].data()[i]) : 0;
      Probe probe(loss, parameter, i);
      const Comparison found = compare(gradient, probe, step, floor, check.tolerance);
      if (!(found.relative_error <= check.tolerance)) ++check.different;
      if (check.checked++ == 0 || found.relative_error > check.worst.relative_error)
        check.worst = {name, coordinates(parameter.shape(), i), gradient, found.difference,
                       found.relative_error};
    }
    if (!gradients[p].defined() && check.different == different_before) check.unused.push_back(name);
  }
  return check;
}

std::string GradientCheck::to_string() const {
  std::ostringstream out;
  out.precision(10);
  if (different > 0)
    out << different << " of " << checked << " gradients are wrong";
  else
    out << "all " << checked << " gradients agree";
  if (checked > 0)
    out << "; worst: " << worst.parameter << Shape(worst.position) << ": backward gives " << worst.gradient
        << ", differences give " << worst.difference << ", relative error " << worst.relative_error
        << " (tolerance " << tolerance << ")";
  for (const std::string& name : unused) out << "; the loss does not depend on " << name;
  return out.str();
}

std::ostream& operator<<(std::ostream& out, const GradientCheck& check) { return out << check.to_string(); }

Var weighted_sum(const Var& y, std::uint64_t seed) {
  Random random(seed);
  Tensor weights(y.shape());
  for (Real *w = weights.unguarded_data(), *end = w + weights.size(); w != end; ++w) {
    const double size = 0.5 + random.uniform();  // drawn first, whatever the compiler
    *w = static_cast<Real>(random.below(2) == 0 ? size : -size);
  }
  return sum(y * Var(weights));
}

}  // namespace gradual
