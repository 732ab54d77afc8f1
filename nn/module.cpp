#include <gradual/nn/module.hpp>

#include <algorithm>
#include <map>

#include <gradual/core/error.hpp>

namespace gradual {

namespace {
thread_local int evaluations = 0;  // that live on this thread
}  // namespace

EvaluationScope::EvaluationScope() { ++evaluations; }
EvaluationScope::~EvaluationScope() { --evaluations; }
bool EvaluationScope::active() { return evaluations > 0; }

void check_parts(const char* operation, const std::vector<ChosenPart>& made,
                 const std::vector<ChosenPart>& now) {
  const auto refuse = [&](const std::string& place, const std::string& name) {
    throw std::logic_error(text(operation, ": each part must be the one that the settings name: ", place,
                                " is now ", name.empty() ? "one without a name" : "\"" + name + "\"",
                                "; add it to the registry of its kind and choose it there by its name"));
  };
  for (std::size_t i = 0; i < now.size(); ++i) {
    const bool same = i < made.size() && now[i].place == made[i].place && now[i].name == made[i].name;
    if (!same || (now[i].name.empty() && now[i].object != made[i].object)) refuse(now[i].place, now[i].name);
  }
  if (now.size() < made.size()) refuse(made[now.size()].place, "none");
}

ParameterShapes shapes_of(const std::vector<NamedParameter>& parameters) {
  ParameterShapes shapes;
  for (const NamedParameter& each : parameters) shapes.emplace_back(each.name, each.variable.shape());
  return shapes;
}

void check_shapes(const char* operation, const ParameterShapes& made, const ParameterShapes& now) {
  const auto described = [](const ParameterShapes& shapes, std::size_t i) {
    return i < shapes.size() ? text('"', shapes[i].first, "\" of shape ", shapes[i].second) : "none";
  };
  for (std::size_t i = 0; i < std::max(made.size(), now.size()); ++i)
    if (i >= made.size() || i >= now.size() || made[i] != now[i])
      throw std::logic_error(text(operation,
                                  ": its parameters must be those that its settings make: they make ",
                                  described(made, i), " where it has ", described(now, i)));
}

void Visitor::add(const std::string& name, Var& variable) {
  if (known_.insert(&variable.value()).second) parameters_.push_back({name, variable.named(name)});
}

Index count(const std::vector<NamedParameter>& parameters) {
  Index total = 0;
  for (const NamedParameter& parameter : parameters) total += parameter.variable.size();
  return total;
}

void zero_gradients(const std::vector<NamedParameter>& parameters) {
  for (NamedParameter parameter : parameters) parameter.variable.zero_grad();
}

void set_parameters(const std::vector<NamedParameter>& parameters,
                    const std::vector<std::pair<std::string, Tensor>>& values) {
  std::map<std::string, const Tensor*> by_name;
  for (const auto& [name, value] : values)
    if (!by_name.emplace(name, &value).second)
      throw std::invalid_argument(
          text("parameters: each value needs a name of its own: two are \"", name, "\""));
  std::vector<std::pair<Var, const Tensor*>> new_values;
  for (const NamedParameter& parameter : parameters) {
    const auto found = by_name.find(parameter.name);
    if (found == by_name.end())
      throw std::invalid_argument(text("parameters: each needs a value: none for \"", parameter.name, "\""));
    if (!found->second->defined())
      throw std::invalid_argument(
          text("parameters: each needs a value: that of \"", parameter.name, "\" is not defined"));
    if (found->second->shape() != parameter.variable.shape())
      throw std::invalid_argument(text("parameters: shapes must be equal: \"", parameter.name, "\" is ",
                                       parameter.variable.shape(), ", its value is ",
                                       found->second->shape()));
    new_values.push_back({parameter.variable, found->second});
    by_name.erase(found);
  }
  if (!by_name.empty())
    throw std::invalid_argument(
        text("parameters: each value needs a parameter: none for \"", by_name.begin()->first, "\""));
  for (auto& [variable, value] : new_values) variable.set_value(*value);
}

std::string summary(const std::vector<NamedParameter>& parameters) {
  std::string lines;
  for (const NamedParameter& parameter : parameters)
    lines += text(parameter.name, " ", parameter.variable.shape(), "\n");
  return lines + text(count(parameters), " parameters\n");
}

}  // namespace gradual
