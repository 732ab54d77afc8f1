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
#include <utility>
#include <vector>

#include <gradual/autograd/var.hpp>

namespace gradual {

struct NamedParameter {
  std::string name;  // such as "encoder.0.self_attention.output.weight"
  Var variable;
};

/// Whether dropout drops. A module that behaves differently in training holds one and visits it.
struct Mode {
  bool training = true;
};

/// Walks over the members of a module and collects its parameters, with their full names, and its modes.
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

  const std::vector<NamedParameter>& parameters() const { return parameters_; }
  const std::vector<Mode*>& modes() const { return modes_; }

 private:
  void add(const std::string& name, Var& variable);

  std::string prefix_;
  std::vector<NamedParameter> parameters_;
  std::vector<Mode*> modes_;
};

/// The parameters of a module with their names, in the order of `visit`.
template <class Module>
std::vector<NamedParameter> parameters(Module& module) {
  Visitor visitor;
  module.visit(visitor);
  return visitor.parameters();
}

/// Switches dropout on (true) or off (false).
template <class Module>
void set_training(Module& module, bool training) {
  Visitor visitor;
  module.visit(visitor);
  for (Mode* mode : visitor.modes()) mode->training = training;
}

/// The number of trainable numbers.
Index count(const std::vector<NamedParameter>& parameters);
void zero_gradients(const std::vector<NamedParameter>& parameters);
/// Gives each parameter the tensor of its name. Throws std::invalid_argument when one is missing, has another
/// shape, or belongs to no parameter; then nothing has changed.
void set_parameters(const std::vector<NamedParameter>& parameters,
                    const std::vector<std::pair<std::string, Tensor>>& values);
/// One line for each parameter with its shape, and the total.
std::string summary(const std::vector<NamedParameter>& parameters);

}  // namespace gradual
