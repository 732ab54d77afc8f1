// Reverse-mode automatic differentiation: variables, the graph that records what made them, and the walk back
// through it.
//
// An operation computes its value and, where a gradient is wanted, records a node: its inputs and, for each
// of them, the function that maps dy = ∂L/∂y to ∂L/∂x = Jᵀ·dy. A node is younger than everything it was made
// from, so walking the nodes from the youngest to the oldest meets each one when its gradient is complete. No
// recursion anywhere: a chain of 200,000 nodes would overflow the stack.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gradual/core/elements/operation.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

struct Node;

/// A handle on a value and, where a gradient is wanted, on a node of the graph.
///
/// Copies name the same variable, so tying two weights is assignment. A Var without a node is a constant.
/// What is asked of a temporary one, as in `for (Real x : exp(y).value())`, outlives it.
class Var {
 public:
  // ---- Make

  /// No value yet. See defined().
  Var() = default;
  /// A constant.
  Var(Tensor value);  // NOLINT: a tensor is meant to be usable wherever a variable is
  /// A variable that gradients are collected for, such as a weight of a model.
  static Var parameter(Tensor value);
  /// What an operation records; see record().
  Var(Tensor value, std::shared_ptr<Node> node);

  // ---- Read its value

  /// False for a default one, which has no value yet.
  bool defined() const { return state_ != nullptr; }
  /// The numbers, of any shape; throws std::logic_error where there are none.
  const Tensor& value() const&;
  Tensor value() const&& { return value(); }
  /// Gives the memory of its value back, of a temporary that is not needed any more; not where another
  /// variable names it.
  void give_back();
  /// The sizes of the axes; throws as value() does, and so do the next three.
  const Shape& shape() const& { return value().shape(); }
  Shape shape() const&& { return shape(); }
  /// The size of an axis; negative ones count from the end.
  Index dim(Index axis) const { return value().dim(axis); }
  /// The number of axes.
  Index rank() const { return value().rank(); }
  /// The number of elements.
  Index size() const { return value().size(); }
  /// A row along the first axis, without that axis; negative ones count from the end
  /// (operations/arrangement.cpp).
  Var operator[](Index row) const;

  // ---- Change its value

  /// Replaces the value of this variable and all its copies; throws std::logic_error for the result of an
  /// operation and std::invalid_argument when the shape differs.
  void set_value(Tensor value);
  /// The numbers of a parameter or constant, for updates in place. What an operation has seen of them stays
  /// for the backward pass, whatever is written later: from now on operations copy them (as
  /// Tensor::mutable_data).
  Real* mutable_data();
  /// As mutable_data(), but operations make no copies: for an update that is over before the next operation.
  Real* unguarded_data();

  // ---- Gradients

  /// True for a parameter, and for what an operation recorded: false for a constant.
  bool requires_grad() const;
  /// ∂L/∂(this), summed over all backward passes since zero_grad(); not defined() when there is none.
  const Tensor& grad() const&;
  Tensor grad() const&& { return grad(); }
  /// The same for writing; throws std::logic_error for a constant.
  Tensor& mutable_grad();
  /// Takes the gradient away: it is not defined() until the next backward pass.
  void zero_grad();
  /// Keeps the gradient of an operation's result, too, which backward() otherwise gives back as it goes.
  Var keep_grad() const;
  /// The same value as a constant: no gradient flows back from here.
  Var detached() const { return Var(value()); }

  // ---- Its place in the graph

  /// What the graph records of it: the operation that made it, or that it is a parameter; null for a
  /// constant.
  const std::shared_ptr<Node>& node() const&;
  std::shared_ptr<Node> node() const&& { return node(); }
  /// Gives the node a name for drawings and error messages.
  Var named(const std::string& name) const;
  /// Whether both name one variable.
  bool is_same_as(const Var& other) const { return state_ == other.state_; }

 private:
  struct State {
    Tensor value;
    std::shared_ptr<Node> node;
  };
  std::shared_ptr<State> state_;
};

/// Where a rule puts the gradient of one input.
class Gradient {
 public:
  Gradient(const char* operation, Node* input) : operation_(operation), input_(input) {}
  /// False for a constant: its gradient need not be computed.
  bool wanted() const { return input_ != nullptr; }
  /// Adds to the sum of this input's gradients. The first one becomes the sum without a copy.
  void add(Tensor gradient) const;
  /// The sum so far, zeros at first, for rules that add to few of its elements in place; throws
  /// std::logic_error for a constant.
  Tensor& sum() const;
  /// True when nothing was added yet.
  bool empty() const;

 private:
  const char* operation_;
  Node* input_;
};

/// dy ↦ the gradients of all inputs, for operations whose inputs share the work.
using JointRule = std::function<void(const Tensor& dy, const std::vector<Gradient>& dx)>;

/// An operation that was carried out, or a parameter.
struct Node {
  const char* operation;                      // the name of what made it
  std::string name;                           // of a parameter, for messages
  Shape shape;                                // of its value
  std::uint64_t number;                       // the order of creation, which is a topological order
  std::vector<std::shared_ptr<Node>> inputs;  // null for constants under a joint rule
  /// How the gradient of one input follows from that of the result, and how it is added up.
  struct InputRule {
    Rule rule;  // gives the gradient of the input for that of the result
    Addition addition;
  };
  std::vector<InputRule> rules;  // one for each input, or none where there is a joint rule
  JointRule joint_rule;
  Tensor grad;
  bool keeps_grad = false;
  bool released = false;
  std::uint64_t visit = 0;  // the last walk that met this node

  Node(const char* operation_name, const Shape& value_shape);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  bool is_parameter() const { return inputs.empty() && !released; }
  /// For error messages: `the result "y" of mul, of shape [3]`.
  std::string description() const;
  /// Of an operation's tensors: what it read and made, or the gradients of both.
  double bytes() const;
};

/// An input of an operation with its rule.
struct Differentiable {
  const Var& input;  // what the operation reads
  Rule rule;
  Addition addition = {};  // adds that gradient to a sum, where there is a shorter way to
};

/// The result of an operation: `record("exp", y, {{x, [y](const Tensor& dy) { return dy * y; }}})`.
/// Inputs that are constants are left out, and what their rules captured is freed at once.
Var record(const char* operation, Tensor value, std::initializer_list<Differentiable> inputs);
/// The same with one rule for all inputs.
Var record(const char* operation, Tensor value, const std::vector<Var>& inputs, JointRule rule);

/// Whether operations record the graph on this thread.
bool grad_enabled();

/// While one of these lives, operations on this thread record nothing.
class NoGrad {
 public:
  /// From here to its end, nothing that this thread computes is recorded.
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};

/// What becomes of the nodes that backward() has passed: freed, or kept for another pass.
enum class Graph { release, keep };

/// Computes ∂y/∂p for every parameter p that y was made from and adds it to p.grad().
///
/// The seed is ∂L/∂y; without one, y must have one element. Each node is freed as soon as its gradient has
/// been used, unless the graph is kept. Throws std::logic_error when y depends on no parameter or the graph
/// was released already, std::invalid_argument when the seed does not fit. When a rule throws, all gradients
/// that are kept are as before; a graph that was kept can be walked again.
void backward(const Var& y, Graph graph = Graph::release);
void backward(const Var& y, const Tensor& seed, Graph graph = Graph::release);

/// How many backward() are at work on this thread: two where a rule calls it.
Index open_walks();

/// The gradients of nodes, none of which it keeps alive.
using KeptGradients = std::map<std::weak_ptr<Node>, Tensor, std::owner_less<std::weak_ptr<Node>>>;

/// While one of these lives, gradients that backward() adds to on this thread begin with none; afterwards all
/// are as they were before, also those that a backward() inside a rule added to.
class GradientsAside {
 public:
  GradientsAside();
  ~GradientsAside();
  GradientsAside(const GradientsAside&) = delete;
  GradientsAside& operator=(const GradientsAside&) = delete;
  /// Puts the gradient of this one aside at once. Throws std::invalid_argument for a null pointer, which
  /// constants have.
  void put(const std::shared_ptr<Node>& node);

 private:
  KeptGradients kept_;
  GradientsAside* older_;
};

/// Is told during backward() which gradients of parameters are complete: that nothing will be added to them
/// in this pass. For work that need not wait for the others. A parameter that a backward() inside a rule
/// reaches is complete when all is done; where it was told to be before, that backward() throws
/// std::logic_error.
class GradientListener {
 public:
  GradientListener() = default;
  GradientListener(const GradientListener&) = delete;
  GradientListener& operator=(const GradientListener&) = delete;
  virtual ~GradientListener() { stop_listening(); }
  /// Called once the gradient of a parameter is complete.
  virtual void complete(const Node& parameter) = 0;

  /// The listener of this thread, or null.
  static GradientListener* current();

 protected:
  /// Instead of any other on this thread.
  void listen();
  void stop_listening();
};

/// All nodes that y was made from, youngest first.
std::vector<std::shared_ptr<Node>> reachable_nodes(const Var& y);

}  // namespace gradual
