// The walk back through the graph.
#include <algorithm>
#include <atomic>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <gradual/autograd/observer.hpp>
#include <gradual/autograd/profiler.hpp>
#include <gradual/autograd/var.hpp>
#include <gradual/core/error.hpp>

namespace gradual {
namespace {

std::atomic<std::uint64_t> walks{0};
thread_local GradientListener* listener = nullptr;
thread_local GradientsAside* newest_aside = nullptr;
thread_local Index walks_at_work = 0;

// A walk, which may be part of another: a rule that computes a block again walks back through it.
class OpenWalk {
 public:
  OpenWalk() { ++walks_at_work; }
  ~OpenWalk() { --walks_at_work; }
  OpenWalk(const OpenWalk&) = delete;
  OpenWalk& operator=(const OpenWalk&) = delete;
};

// Tells a listener when the last operation that a parameter was an input of is done. What the walk of a rule
// adds to, others may, too: that is complete in the end.
class CompleteGradients {
 public:
  explicit CompleteGradients(const std::vector<std::shared_ptr<Node>>& nodes) {
    if (!listener) return;
    if (outermost) {
      outermost->wait_for(nodes);
      return;
    }
    for (const auto& node : nodes) {
      for (const auto& input : node->inputs) {
        if (!input || !input->is_parameter()) continue;
        if (++uses_left_[input.get()] == 1) counted_.push_back(input);
      }
    }
    outermost = this;
  }
  ~CompleteGradients() {
    if (outermost == this) outermost = nullptr;
  }
  CompleteGradients(const CompleteGradients&) = delete;
  CompleteGradients& operator=(const CompleteGradients&) = delete;

  void done(const Node& node) {
    if (outermost != this) return;
    for (const auto& input : node.inputs) {
      const auto found = uses_left_.find(input.get());
      if (found != uses_left_.end() && --found->second == 0 && waits_.count(input.get()) == 0)
        listener->complete(*input);
    }
  }
  void all_done() {
    if (outermost != this) return;
    for (const std::weak_ptr<Node>& each : late_)
      if (const auto node = each.lock()) listener->complete(*node);
  }

 private:
  void wait_for(const std::vector<std::shared_ptr<Node>>& nodes) {
    for (const auto& node : nodes) {
      if (!node->is_parameter()) continue;
      const auto found = uses_left_.find(node.get());
      if (found != uses_left_.end() && found->second == 0 && waits_.count(node.get()) == 0)
        throw std::logic_error(
            text("backward: a walk inside a rule must not add to a gradient that was told "
                 "to be complete: it reaches ",
                 node->description()));
      if (waits_.insert(node.get()).second) late_.push_back(node);
    }
  }

  static thread_local CompleteGradients* outermost;
  std::unordered_map<const Node*, Index> uses_left_;
  std::vector<std::weak_ptr<Node>> counted_;  // so that none made meanwhile has the address of one of them
  std::unordered_set<const Node*> waits_;
  std::vector<std::weak_ptr<Node>> late_;  // those; it keeps none alive
};
thread_local CompleteGradients* CompleteGradients::outermost = nullptr;

void put_back(KeptGradients& kept) {
  for (auto& [place, grad] : kept)
    if (const auto node = place.lock()) node->grad = std::move(grad);
}

// What earlier passes left where gradients are kept. That of a result must not flow back again: it is taken
// away and added in the end. If a rule throws, all are put back, those of walks inside rules, too: when the
// pass is repeated, nothing is counted twice.
class EarlierGradients {
 public:
  explicit EarlierGradients(const std::vector<std::shared_ptr<Node>>& nodes) : outer_(innermost) {
    for (const auto& node : nodes) {
      if (node->keeps_grad) {
        if (newest_aside) newest_aside->put(node);
        kept_.emplace_back(node, node->grad);
      }
      if (!node->is_parameter()) node->grad = Tensor();  // or what a rule that threw left behind
    }
    innermost = this;
  }
  ~EarlierGradients() {
    innermost = outer_;
    put_back(inside_);
    for (auto& [node, grad] : kept_) node->grad = std::move(grad);
  }
  EarlierGradients(const EarlierGradients&) = delete;
  EarlierGradients& operator=(const EarlierGradients&) = delete;

  void add_to_results() {
    for (const auto& [node, grad] : kept_)
      if (grad.defined() && !node->is_parameter()) Gradient("backward", node.get()).add(grad);
    if (outer_) {
      outer_->inside_.insert(kept_.begin(), kept_.end());
      outer_->inside_.merge(inside_);
    }
    kept_.clear();
    inside_.clear();
  }

 private:
  static thread_local EarlierGradients* innermost;
  EarlierGradients* const outer_;
  std::vector<std::pair<std::shared_ptr<Node>, Tensor>> kept_;
  KeptGradients inside_;  // of walks that rules made
};
thread_local EarlierGradients* EarlierGradients::innermost = nullptr;

// Applies the rules of an operation to dy. The one for the first input comes last: it may write over dy, and
// of two operands the first is mostly the larger.
void propagate(const Node& node, Tensor dy) {
  for (std::size_t i = node.rules.size(); i > 0; --i) {
    const Gradient dx(node.operation, node.inputs[i - 1].get());
    const auto& [rule, addition] = node.rules[i - 1];
    if (addition && !dx.empty())
      addition(dy, dx.sum());
    else
      dx.add(rule(i > 1 ? dy : std::move(dy)));
  }
  if (!node.joint_rule) return;
  std::vector<Gradient> dx;
  for (const auto& input : node.inputs) dx.emplace_back(node.operation, input.get());
  node.joint_rule(dy, dx);
}

}  // namespace

GradientListener* GradientListener::current() { return listener; }
void GradientListener::listen() { listener = this; }
void GradientListener::stop_listening() {
  if (listener == this) listener = nullptr;
}

GradientsAside::GradientsAside() : older_(std::exchange(newest_aside, this)) {}
GradientsAside::~GradientsAside() {
  newest_aside = older_;
  put_back(kept_);
}
void GradientsAside::put(const std::shared_ptr<Node>& node) {
  if (!node)
    throw std::invalid_argument(
        "gradients aside: there must be a node: got a null pointer, as of a constant");
  if (kept_.emplace(node, node->grad).second) node->grad = Tensor();
}

Index open_walks() { return walks_at_work; }

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
      throw std::logic_error(text("backward: an earlier backward released ", node->description(),
                                  "; keep it with backward(y, Graph::keep)"));
  }
  const OpenWalk walk;
  const bool observed = GraphObserver::listening();
  if (observed) Telling().all(&GraphObserver::backward_begins, seed);
  EarlierGradients earlier(nodes);
  Gradient("backward", y.node().get()).add(seed);
  CompleteGradients complete(nodes);
  Profiler* const profiler = Profiler::current();
  Profiler::mark("backward: ordering");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::shared_ptr<Node> node = std::move(nodes[i]);
    if (node->is_parameter()) continue;
    Tensor dy = node->keeps_grad ? node->grad : std::exchange(node->grad, Tensor());
    if (dy.defined()) {
      if (observed) Telling().all(&GraphObserver::backward, *node, dy);
      propagate(*node, std::move(dy));
      if (observed) Telling().all(&GraphObserver::passed_back, *node);
      if (profiler) profiler->add_backward(node->operation, node->bytes());
    }
    complete.done(*node);
    if (graph == Graph::release) {
      node->released = true;
      node->rules.clear();
      node->joint_rule = nullptr;
      node->inputs.clear();
    }
  }
  complete.all_done();
  earlier.add_to_results();
}

}  // namespace gradual
