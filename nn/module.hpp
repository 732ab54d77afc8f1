// What makes a class a module: one member template-free function `visit` that names each of its members once.
//
//   struct FeedForward {
//     Linear inner, outer;
//     void visit(Visitor& v) { v("inner", inner); v("outer", outer); }
//     Var operator()(const Var& x) const { return outer(relu(inner(x))); }
//   };
//
// Listing parameters, counting, saving, train and eval mode are functions over `visit`. Layers are called
// through their own typed operator().
#pragma once

#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gradual/autograd/var.hpp>

namespace gradual {

/// A parameter, with its name in the model.
struct NamedParameter {
  std::string name;  // such as "encoder.0.self_attention.output.weight"
  Var variable;      // its numbers and their gradient
};

/// Whether dropout drops. A module that behaves differently in training holds one and visits it.
struct Mode {
  bool training = true;  // whether what is random in training is so now
};

/// While one of these lives, nothing that runs on this thread is in training, whatever the modes say: dropout
/// drops nothing. The modules stay as they are, so that threads can share them.
class EvaluationScope {
 public:
  EvaluationScope();
  ~EvaluationScope();
  EvaluationScope(const EvaluationScope&) = delete;
  EvaluationScope& operator=(const EvaluationScope&) = delete;
  static bool active();
};

/// A part of a model that was chosen at run time, and the name it was chosen by; see nn/part.hpp.
struct ChosenPart {
  std::string place;  // such as "encoder.0.feed_forward"
  std::string name;   // such as "relu"; empty for one that was put in by hand
  const void* object;
};

/// Walks over the members of a module and collects its parameters, with their full names, its modes and the
/// parts that were chosen.
class Visitor {
 public:
  template <class Member>
  void operator()(const std::string& name, Member& member) {
    if constexpr (std::is_same_v<Member, Var>) {
      // A layer without a bias has an undefined one; tied weights are listed once, under their first name.
      if (member.defined()) add(prefix_ + name, member);
    } else if constexpr (std::is_same_v<Member, Mode>) {
      modes_.push_back(&member);
    } else {
      const std::string before = prefix_;
      prefix_ += name + ".";
      member.visit(*this);
      prefix_ = before;
    }
  }
  /// A list of modules: "layers.0", "layers.1", …
  template <class Member>
  void operator()(const std::string& name, std::vector<Member>& members) {
    for (std::size_t i = 0; i < members.size(); ++i) (*this)(name + "." + std::to_string(i), members[i]);
  }

  /// Says that the member being visited is a part that was chosen by this name.
  void part(const std::string& name, const void* object) {
    parts_.push_back({prefix_.substr(0, prefix_.empty() ? 0 : prefix_.size() - 1), name, object});
  }

  /// The parameters that were visited, each once.
  const std::vector<NamedParameter>& parameters() const { return parameters_; }
  /// What says whether it is in training, of each module that asks.
  const std::vector<Mode*>& modes() const { return modes_; }
  /// The parts that were chosen by a name.
  const std::vector<ChosenPart>& parts() const { return parts_; }

 private:
  void add(const std::string& name, Var& variable);

  std::string prefix_;
  std::vector<NamedParameter> parameters_;
  std::unordered_set<const Tensor*> known_;  // their values, by which the same parameter is known again
  std::vector<Mode*> modes_;
  std::vector<ChosenPart> parts_;
};

/// The parameters of a module with their names, in the order of `visit`.
template <class Module>
std::vector<NamedParameter> parameters(Module& module) {
  Visitor visitor;
  module.visit(visitor);
  return visitor.parameters();
}

/// The parts of a module that were chosen at run time, in the order of `visit`.
template <class Module>
std::vector<ChosenPart> chosen_parts(Module& module) {
  Visitor visitor;
  module.visit(visitor);
  return visitor.parts();
}
/// Throws std::logic_error, in the name of `operation`, when a model's parts are no longer those that it was
/// made with: what describes the model would then describe another one.
void check_parts(const char* operation, const std::vector<ChosenPart>& made,
                 const std::vector<ChosenPart>& now);

/// The names of parameters, and their shapes.
using ParameterShapes = std::vector<std::pair<std::string, Shape>>;
/// The shapes of these.
ParameterShapes shapes_of(const std::vector<NamedParameter>& parameters);
/// Throws std::logic_error, in the name of `operation`, when a model has other parameters than the settings
/// make that describe it, as where two are one or a layer was made wider by hand.
void check_shapes(const char* operation, const ParameterShapes& made, const ParameterShapes& now);

/// Switches dropout on (true) or off (false), until it is switched again; see EvaluationScope for a while.
template <class Module>
void set_training(Module& module, bool training) {
  Visitor visitor;
  module.visit(visitor);
  for (Mode* mode : visitor.modes()) mode->training = training;
}

/// The number of trainable numbers.
Index count(const std::vector<NamedParameter>& parameters);
/// Sets the gradient of each parameter to 0.
void zero_gradients(const std::vector<NamedParameter>& parameters);
/// Gives each parameter the tensor of its name. Throws std::invalid_argument when one is missing, has another
/// shape, or belongs to no parameter; then nothing has changed.
void set_parameters(const std::vector<NamedParameter>& parameters,
                    const std::vector<std::pair<std::string, Tensor>>& values);
/// One line for each parameter with its shape, and the total.
std::string summary(const std::vector<NamedParameter>& parameters);

}  // namespace gradual
