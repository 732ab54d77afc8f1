// The operations of a pass with what each was made from.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <gradual/autograd/observer.hpp>
#include <gradual/nn/doctor/experiments/experiment.hpp>

namespace gradual::experiments {

/// All operations on the way to the loss of a batch, in evaluation, in their order.
class RecordedPass : private GraphObserver {
 public:
  /// A result, with the operation that made it and what from.
  struct Made {
    std::string operation;
    Var y;
    std::vector<Var> inputs;
  };

  explicit RecordedPass(const Patient& patient, const TranslationBatch& batch) : patient_(patient) {
    const EvaluationScope evaluation;
    loss_ = patient.loss(batch);
  }
  const std::vector<Made>& made() const { return made_; }
  std::size_t size() const { return made_.size(); }
  const Made& operator[](std::size_t i) const { return made_[i]; }

  /// The operation that made x, whether it is taken as a result or, by its numbers, as a constant; size() for
  /// what none made, such as a parameter.
  std::size_t maker_of(const Var& x) const {
    if (!x.defined()) return made_.size();
    if (x.node()) {
      const auto found = maker_.find(x.node().get());
      return found == maker_.end() ? made_.size() : found->second;
    }
    const auto found = maker_of_numbers_.find(x.value().data());
    return found == maker_of_numbers_.end() ? made_.size() : found->second;
  }
  /// The parameter among the inputs of an operation, or null.
  const NamedParameter* parameter_of(std::size_t i) const {
    for (const Var& input : made_[i].inputs)
      for (const NamedParameter& each : patient_.parameters)
        if (input.defined() && each.variable.is_same_as(input)) return &each;
    return nullptr;
  }
  /// The layer that an operation is in: that of the last parameter on the way to it.
  std::string layer_of(std::size_t i) const {
    for (;; --i) {
      if (const NamedParameter* parameter = parameter_of(i))
        return parameter->name.substr(0, parameter->name.rfind('.'));
      if (i == 0) return "a part without parameters";
    }
  }

 private:
  void forward(const char* operation, const Var& y, const std::vector<Var>& inputs) override {
    if (y.node()) maker_[y.node().get()] = made_.size();
    if (y.size() > 1) maker_of_numbers_.emplace(y.value().data(), made_.size());
    made_.push_back({operation, y, inputs});
  }

  const Patient& patient_;
  std::vector<Made> made_;
  std::unordered_map<const Node*, std::size_t> maker_;
  std::unordered_map<const Real*, std::size_t> maker_of_numbers_;
  Var loss_;
};

}  // namespace gradual::experiments
