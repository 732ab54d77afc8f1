#include <gradual/nn/module.hpp>

#include <gradual/core/error.hpp>

namespace gradual {

void Visitor::add(const std::string& name, Var& variable) {
  for (const NamedParameter& known : parameters_) {
    if (known.variable.is_same_as(variable)) return;
  }
  parameters_.push_back({name, variable.named(name)});
}

Index count(const std::vector<NamedParameter>& parameters) {
  Index total = 0;
  for (const NamedParameter& parameter : parameters) total += parameter.variable.size();
  return total;
}

void zero_gradients(const std::vector<NamedParameter>& parameters) {
  for (NamedParameter parameter : parameters) parameter.variable.zero_grad();
}

std::string summary(const std::vector<NamedParameter>& parameters) {
  std::string lines;
  for (const NamedParameter& parameter : parameters)
    lines += text(parameter.name, " ", parameter.variable.shape(), "\n");
  return lines + text(count(parameters), " parameters\n");
}

}  // namespace gradual
