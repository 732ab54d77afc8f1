#include <gradual/autograd/var.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

#include <gradual/autograd/observer.hpp>
#include <gradual/autograd/profiler.hpp>
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/error.hpp>

namespace gradual {
namespace {

std::atomic<std::uint64_t> nodes_created{0};
thread_local bool recording = true;

const std::shared_ptr<Node> no_node;

void check_writable(const char* operation, const Var& variable) {
  if (!variable.defined() || !variable.value().defined())
    throw std::logic_error(text(operation, ": the variable has no value"));
  if (variable.node() && !variable.node()->is_parameter())
    throw std::logic_error(text(operation, ": only a parameter or a constant can be written: this is ",
                                variable.node()->description()));
}

// The value of a variable: a pointer to its numbers that someone kept must not reach it.
Tensor checked_value(Tensor value) {
  if (!value.defined()) throw std::invalid_argument("variable: its tensor must be defined");
  return value.is_exposed() ? Tensor(value) : std::move(value);
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

const Tensor& Var::value() const& {
  if (!state_) throw std::logic_error("value: the variable has no value yet: it was default-constructed");
  return state_->value;
}

void Var::give_back() {
  if (state_.use_count() == 1) state_->value = Tensor();
}

void Var::set_value(Tensor new_value) {
  check_writable("set_value", *this);
  if (new_value.shape() != shape())
    throw std::invalid_argument(
        text("set_value: the shape must stay: ", shape(), " got ", new_value.shape()));
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

const Tensor& Var::grad() const& {
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

Var Var::keep_grad() const {
  if (node()) node()->keeps_grad = true;
  return *this;
}

Var Var::named(const std::string& name) const {
  if (node()) node()->name = name;
  return *this;
}

const std::shared_ptr<Node>& Var::node() const& { return state_ ? state_->node : no_node; }

void Gradient::add(Tensor gradient) const {
  if (!input_) return;
  if (!gradient.defined() || gradient.shape() != input_->shape)
    throw std::logic_error(text("backward: a rule must return the shape of its input: ", operation_,
                                " returned ", gradient.defined() ? gradient.shape().to_string() : "nothing",
                                " for ", input_->description()));
  if (!input_->grad.defined())
    input_->grad = std::move(gradient);
  else
    add_in_place(input_->grad, gradient);
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

std::string Node::description() const {
  const std::string own_name = name.empty() ? "" : " \"" + name + "\"";
  return is_parameter() ? text("the parameter", own_name, " of shape ", shape)
                        : text("the result", own_name, " of ", operation, ", of shape ", shape);
}

double Node::bytes() const {
  Index numbers = shape.size();
  for (const auto& input : inputs) numbers += input ? input->shape.size() : 0;
  return static_cast<double>(numbers) * sizeof(Real);
}

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

bool grad_enabled() { return recording; }
NoGrad::NoGrad() : before_(recording) { recording = false; }
NoGrad::~NoGrad() { recording = before_; }

namespace {

const Var& input_of(const Differentiable& each) { return each.input; }
const Var& input_of(const Var& each) { return each; }

// The result of an operation, of which whoever watches has heard; where a gradient is wanted, with a node, to
// which connect(node) adds the inputs and rules.
template <class Inputs, class Connect>
Var recorded(const char* operation, Tensor value, const Inputs& inputs, Connect connect) {
  std::shared_ptr<Node> node;
  const auto wants_grad = [](const auto& each) { return input_of(each).requires_grad(); };
  if (recording && std::any_of(inputs.begin(), inputs.end(), wants_grad)) {
    node = std::make_shared<Node>(operation, value.shape());
    connect(*node);
    if (Profiler* profiler = Profiler::current()) profiler->add_forward(operation, node->bytes());
  }
  Var y(std::move(value), std::move(node));
  if (!GraphObserver::listening()) return y;
  std::vector<Var> seen;
  for (const auto& each : inputs) seen.push_back(input_of(each));
  const Telling telling;
  telling.all(&GraphObserver::forward, operation, y, seen);
  return telling.chosen(operation, y);
}

}  // namespace

Var record(const char* operation, Tensor value, std::initializer_list<Differentiable> inputs) {
  return recorded(operation, std::move(value), inputs, [&](Node& node) {
    for (const Differentiable& each : inputs) {
      if (!each.input.requires_grad()) continue;
      node.inputs.push_back(each.input.node());
      node.rules.push_back({each.rule, each.addition});
    }
  });
}

Var record(const char* operation, Tensor value, const std::vector<Var>& inputs, JointRule rule) {
  return recorded(operation, std::move(value), inputs, [&](Node& node) {
    for (const Var& input : inputs) node.inputs.push_back(input.node());
    node.joint_rule = std::move(rule);
  });
}

}  // namespace gradual
