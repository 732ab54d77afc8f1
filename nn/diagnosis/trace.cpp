#include <gradual/nn/diagnosis/trace.hpp>

#include <gradual/core/error.hpp>

namespace gradual {

std::string layer_of(const std::string& parameter) {
  const auto dot = parameter.find_last_of('.');
  return dot == std::string::npos ? parameter : parameter.substr(0, dot);
}

Index Trace::maker(const Node* node) const {
  const auto found = by_node_.find(node);
  return found == by_node_.end() ? -1 : found->second;
}

Index Trace::maker(const Var& x) const {
  if (!x.defined()) return -1;
  if (x.node()) return maker(x.node().get());
  const auto found = by_numbers_.find(x.value().data());
  return found == by_numbers_.end() ? -1 : found->second;
}

void Trace::forward(const char* operation, const Var& y, const std::vector<Var>& inputs) {
  TracedOperation now{operation, "", y, inputs, {}};
  for (const Var& input : inputs) {
    now.sources.push_back({maker(input), input.requires_grad() && y.requires_grad()});
    if (now.layer.empty() && input.requires_grad() && input.node()->is_parameter())
      now.layer = gradual::layer_of(input.node()->name);
  }
  const Index number = operations_.count();
  if (y.node()) by_node_[y.node().get()] = number;
  if (y.size() > 0) by_numbers_[y.value().data()] = number;
  operations_.push_back(std::move(now));
}

const std::string& TracedOperations::layer_of(Index number) const {
  while (number > 0 && (*this)[number].layer.empty()) --number;
  return (*this)[number].layer;
}

std::string TracedOperations::description(Index number) const {
  const std::string& layer = layer_of(number);
  return text((*this)[number].name, " (operation ", number + 1, ", ", (*this)[number].result.shape(),
              layer.empty() ? "" : ", in " + layer, ")");
}

}  // namespace gradual
