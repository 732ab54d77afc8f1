#include <gradual/autograd/var.hpp>

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <utility>

#include <gradual/autograd/profiler.hpp>
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/error.hpp>

namespace gradual {
namespace {

std::atomic<std::uint64_t> nodes_created{0};
std::atomic<std::uint64_t> walks{0};
thread_local bool recording = true;
thread_local GradientListener* listener = nullptr;

const std::shared_ptr<Node> no_node;

std::string description(const Node& node) {
  const std::string name = node.name.empty() ? "" : " \"" + node.name + "\"";
  return node.is_parameter() ? text("the parameter", name, " of shape ", node.shape)
                             : text("the result", name, " of ", node.operation, ", of shape ", node.shape);
}

void check_writable(const char* operation, const Var& variable) {
  if (!variable.defined() || !variable.value().defined())
    throw std::logic_error(text(operation, ": the variable has no value"));
  if (variable.node() && !variable.node()->is_parameter())
    throw std::logic_error(text(operation, ": only a parameter or a constant can be written: this is ",
                                description(*variable.node())));
}

// The value of a variable: a pointer to its numbers that someone kept must not reach it.
Tensor checked_value(Tensor value) {
  if (!value.defined()) throw std::invalid_argument("variable: its tensor must be defined");
  return value.is_exposed() ? Tensor(value) : std::move(value);
}

double bytes_of(const Shape& shape) { return static_cast<double>(shape.size()) * sizeof(Real); }

// A recorded operation's tensors: what it read and made, or the gradients of both.
double bytes_of(const Node& node) {
  double bytes = bytes_of(node.shape);
  for (const auto& input : node.inputs) bytes += input ? bytes_of(input->shape) : 0;
  return bytes;
}

void add_gradient(const char* operation, Node& input, Tensor gradient) {
  if (!gradient.defined() || gradient.shape() != input.shape)
    throw std::logic_error(text("backward: a rule must return the shape of its input: ", operation,
                                " returned ", gradient.defined() ? gradient.shape().to_string() : "nothing",
                                " for ", description(input)));
  if (!input.grad.defined())
    input.grad = std::move(gradient);
  else
    add_in_place(input.grad, gradient);
}

// Tells a listener when the last operation that a parameter was an input of is done.
class CompleteGradients {
 public:
  explicit CompleteGradients(const std::vector<std::shared_ptr<Node>>& nodes) {
    if (!listener) return;
    for (const auto& node : nodes) {
      for (const auto& input : node->inputs)
        if (input && input->is_parameter()) ++uses_left_[input.get()];
    }
  }
  void done(const Node& node) {
    if (!listener) return;
    for (const auto& input : node.inputs) {
      const auto found = uses_left_.find(input.get());
      if (found != uses_left_.end() && --found->second == 0) listener->complete(*input);
    }
  }

 private:
  std::unordered_map<const Node*, Index> uses_left_;
};

// What earlier passes left where gradients are kept. That of a result must not flow back again: it is taken
// away and added in the end. If a rule throws, all are put back: when the pass is repeated, nothing is
// counted twice.
class EarlierGradients {
 public:
  explicit EarlierGradients(const std::vector<std::shared_ptr<Node>>& nodes) {
    for (const auto& node : nodes) {
      if (node->keeps_grad) kept_.push_back({node, node->grad});
      if (!node->is_parameter()) node->grad = Tensor();  // or what a rule that threw left behind
    }
  }
  ~EarlierGradients() {
    for (auto& [node, grad] : kept_) node->grad = std::move(grad);
  }
  EarlierGradients(const EarlierGradients&) = delete;
  EarlierGradients& operator=(const EarlierGradients&) = delete;

  void add_to_results() {
    for (const auto& [node, grad] : kept_)
      if (grad.defined() && !node->is_parameter()) add_gradient("backward", *node, grad);
    kept_.clear();
  }

 private:
  std::vector<std::pair<std::shared_ptr<Node>, Tensor>> kept_;
};

// Applies the rules of an operation to dy. The one for the first input comes last: it may write over dy, and
// of two operands the first is mostly the larger.
void propagate(const Node& node, Tensor dy) {
  for (std::size_t i = node.rules.size(); i > 0; --i)
    add_gradient(node.operation, *node.inputs[i - 1], node.rules[i - 1](i > 1 ? dy : std::move(dy)));
  if (!node.joint_rule) return;
  std::vector<Gradient> dx;
  for (const auto& input : node.inputs) dx.emplace_back(node.operation, input.get());
  node.joint_rule(dy, dx);
}

}  // namespace

Var::Var(Tensor value) : Var(std::move(value), nullptr) {}

Var::Var(Tensor value, std::shared_ptr<Node> node)
    : state_(std::make_shared<State>(State{checked_value(std::move(value)), std::move(node)})) {}

Var Var::parameter(Tensor value) {
  auto node = std::make_shared<Node>("parameter", value.shape());
  node->keeps_grad = true;
  return Var(std::move(value), std::move(node));
}

const Tensor& Var::value() const {
  if (!state_) throw std::logic_error("value: the variable has no value yet: it was default-constructed");
  return state_->value;
}

void Var::set_value(Tensor new_value) {
  if (new_value.shape() != shape())
    throw std::invalid_argument(
        text("set_value: the shape must stay: ", shape(), " got ", new_value.shape()));
  if (node() && !node()->is_parameter())
    throw std::logic_error(
        text("set_value: only a parameter or a constant can be set: this is ", description(*node())));
  state_->value = checked_value(std::move(new_value));
}

Real* Var::mutable_data() {
  check_writable("mutable_data", *this);
  return state_->value.mutable_data();
}

Real* Var::unguarded_data() {
  check_writable("unguarded_data", *this);
  return state_->value.unguarded_data();
}

bool Var::requires_grad() const { return node() != nullptr; }

const Tensor& Var::grad() const {
  if (!node()) throw std::logic_error("grad: a constant has no gradient; make it with Var::parameter");
  return node()->grad;
}

Tensor& Var::mutable_grad() {
  grad();  // throws for a constant
  return node()->grad;
}

void Var::zero_grad() {
  if (node()) node()->grad = Tensor();
}

const Var& Var::keep_grad() const {
  if (node()) node()->keeps_grad = true;
  return *this;
}

const Var& Var::named(const std::string& name) const {
  if (node()) node()->name = name;
  return *this;
}

const std::shared_ptr<Node>& Var::node() const { return state_ ? state_->node : no_node; }

void Gradient::add(Tensor gradient) const {
  if (input_) add_gradient(operation_, *input_, std::move(gradient));
}

Tensor& Gradient::sum() const {
  if (!input_)
    throw std::logic_error(text("sum: only an input that wants a gradient has a sum of them: this input of ",
                                operation_, " is a constant; ask wanted() first"));
  if (!input_->grad.defined()) input_->grad = Tensor::zeros(input_->shape);
  return input_->grad;
}

bool Gradient::empty() const { return !input_ || !input_->grad.defined(); }

Node::Node(const char* operation_name, const Shape& value_shape)
    : operation(operation_name), shape(value_shape), number(++nodes_created) {}

// A chain of nodes must not be destroyed by recursion: nodes that only this one holds are emptied in a loop
// first.
Node::~Node() {
  std::vector<std::shared_ptr<Node>> orphans = std::move(inputs);
  while (!orphans.empty()) {
    const std::shared_ptr<Node> node = std::move(orphans.back());
    orphans.pop_back();
    if (node.use_count() != 1) continue;
    for (std::shared_ptr<Node>& input : node->inputs) orphans.push_back(std::move(input));
    node->inputs.clear();
  }
}

GradientListener* GradientListener::current() { return listener; }
void GradientListener::listen() { listener = this; }
void GradientListener::stop_listening() {
  if (listener == this) listener = nullptr;
}

bool grad_enabled() { return recording; }
NoGrad::NoGrad() : before_(recording) { recording = false; }
NoGrad::~NoGrad() { recording = before_; }

Var record(const char* operation, Tensor value, std::initializer_list<Differentiable> inputs) {
  const bool wanted = recording && std::any_of(inputs.begin(), inputs.end(), [](const Differentiable& each) {
                        return each.input.requires_grad();
                      });
  if (!wanted) return Var(std::move(value));
  auto node = std::make_shared<Node>(operation, value.shape());
  for (const Differentiable& each : inputs) {
    if (!each.input.requires_grad()) continue;
    node->inputs.push_back(each.input.node());
    node->rules.push_back(each.rule);
  }
  if (Profiler* profiler = Profiler::current()) profiler->add_forward(operation, bytes_of(*node));
  return Var(std::move(value), std::move(node));
}

Var record(const char* operation, Tensor value, const std::vector<Var>& inputs, JointRule rule) {
  const bool wanted = recording && std::any_of(inputs.begin(), inputs.end(),
                                               [](const Var& input) { return input.requires_grad(); });
  if (!wanted) return Var(std::move(value));
  auto node = std::make_shared<Node>(operation, value.shape());
  for (const Var& input : inputs) node->inputs.push_back(input.node());
  node->joint_rule = std::move(rule);
  if (Profiler* profiler = Profiler::current()) profiler->add_forward(operation, bytes_of(*node));
  return Var(std::move(value), std::move(node));
}

std::vector<std::shared_ptr<Node>> reachable_nodes(const Var& y) {
  const std::uint64_t walk = ++walks;
  std::vector<std::shared_ptr<Node>> found;
  const auto meet = [&](const std::shared_ptr<Node>& node) {
    if (!node || node->visit == walk) return;
    node->visit = walk;
    found.push_back(node);
  };
  meet(y.node());
  for (std::size_t next = 0; next < found.size(); ++next) {
    const std::shared_ptr<Node> node = found[next];  // a copy: meeting inputs may move the list
    for (const std::shared_ptr<Node>& input : node->inputs) meet(input);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a->number > b->number; });
  return found;
}

void backward(const Var& y, Graph graph) {
  if (y.size() != 1)
    throw std::invalid_argument(
        text("backward: y must have one element unless a seed is given: y is ", y.shape()));
  backward(y, Tensor::ones(y.shape()), graph);
}

void backward(const Var& y, const Tensor& seed, Graph graph) {
  if (!y.requires_grad()) throw std::logic_error("backward: y must depend on a parameter: it is a constant");
  if (!seed.defined() || seed.shape() != y.shape())
    throw std::invalid_argument(text("backward: the seed must have the shape of y: y is ", y.shape(),
                                     ", seed is ",
                                     seed.defined() ? seed.shape().to_string() : "not defined"));
  std::vector<std::shared_ptr<Node>> nodes = reachable_nodes(y);
  for (const auto& node : nodes) {
    if (node->released)
      throw std::logic_error(text("backward: an earlier backward released ", description(*node),
                                  "; keep it with backward(y, Graph::keep)"));
  }
  EarlierGradients earlier(nodes);
  add_gradient("backward", *y.node(), seed);
  CompleteGradients complete(nodes);
  Profiler* const profiler = Profiler::current();
  Profiler::mark("backward: ordering");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::shared_ptr<Node> node = std::move(nodes[i]);
    if (node->is_parameter()) continue;
    Tensor dy = node->keeps_grad ? node->grad : std::exchange(node->grad, Tensor());
    if (dy.defined()) {
      propagate(*node, std::move(dy));
      if (profiler) profiler->add_backward(node->operation, bytes_of(*node));
    }
    complete.done(*node);
    if (graph == Graph::release) {
      node->released = true;
      node->rules.clear();
      node->joint_rule = nullptr;
      node->inputs.clear();
    }
  }
  earlier.add_to_results();
}

}  // namespace gradual
