#include <gradual/autograd/anomaly.hpp>

#include <utility>

#include <gradual/core/elements/finite.hpp>
#include <gradual/core/error.hpp>

namespace gradual {
namespace {

using Pass = AnomalyError::Pass;

bool is_parameter(const Var& x) { return x.node() && x.node()->is_parameter(); }

std::string described(const char* what, std::size_t number, const Var& input) {
  if (!input.defined()) return "";
  const std::string own_name =
      input.node() && !input.node()->name.empty() ? " \"" + input.node()->name + "\"" : "";
  return text("; ", what, " ", number + 1, own_name, " ", input.shape(), ": ", number_kinds(input.value()));
}

std::string described(const std::vector<Var>& inputs) {
  std::string result;
  for (std::size_t i = 0; i < inputs.size(); ++i) result += described("input", i, inputs[i]);
  return result;
}

std::string near_text(const std::string& name) {
  return name.empty() ? "" : "; the parameter used last is \"" + name + "\"";
}

}  // namespace

void AnomalyDetection::forward(const char* operation, const Var& y, const std::vector<Var>& inputs) {
  if (open_walks() == 0 && std::exchange(walked_, false)) seen_.clear();
  for (const Var& input : inputs)
    if (is_parameter(input) && !input.node()->name.empty()) near_ = input.node()->name;
  if (y.node()) seen_[y.node().get()] = {inputs, near_};
  if (all_finite(y.value())) return;

  const NumberKinds result = number_kinds(y.value());
  bool nan_came_in = false, infinite_came_in = false;
  for (const Var& input : inputs) {
    if (!input.defined()) continue;
    const NumberKinds kinds = number_kinds(input.value());
    const bool infinite = kinds.infinite + kinds.minus_infinite > 0;
    const bool is_made_here = input.node() && !input.node()->is_parameter();
    if (!is_made_here && ((kinds.nan > 0 && result.nan > 0) || (infinite && is_parameter(input)))) {
      const char* what = is_parameter(input) ? "parameter" : "constant";
      throw AnomalyError(
          Pass::forward, what,
          text(operation, ": a ", what, " must be finite", described(inputs), near_text(near_)));
    }
    nan_came_in = nan_came_in || kinds.nan > 0;
    infinite_came_in = infinite_came_in || infinite;
  }
  const bool is_to_blame = !nan_came_in && (result.nan > 0 || !infinite_came_in);
  if (is_to_blame)
    throw AnomalyError(Pass::forward, operation,
                       text(operation, ": the result must be finite where the inputs are: result ", y.shape(),
                            ": ", result, described(inputs), near_text(near_)));
}

void AnomalyDetection::backward_begins(const Tensor& seed) {
  walked_ = true;
  if (open_walks() == 1) dy_.clear();  // or what a walk left that threw
  if (!all_finite(seed))
    throw AnomalyError(
        Pass::backward, "seed",
        text("backward: the seed must be finite: it is ", seed.shape(), ": ", number_kinds(seed)));
}

void AnomalyDetection::backward(const Node&, const Tensor& dy) { dy_.push_back(dy); }

void AnomalyDetection::passed_back(const Node& node) {
  if (dy_.empty()) return;  // made by a rule that is at work
  const Tensor dy = std::move(dy_.back());
  dy_.pop_back();
  for (const auto& input : node.inputs) {
    if (!input || !input->grad.defined() || all_finite(input->grad)) continue;
    const Seen& seen = seen_[&node];
    throw AnomalyError(Pass::backward, node.operation,
                       text(node.operation, ", backward: gradients must be finite where dy is: that of ",
                            input->description(), ": ", number_kinds(input->grad), "; dy ", dy.shape(), ": ",
                            number_kinds(dy), described(seen.inputs), near_text(seen.near)));
  }
  seen_.erase(&node);
}

}  // namespace gradual
