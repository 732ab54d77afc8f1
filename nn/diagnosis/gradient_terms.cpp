#include <gradual/nn/diagnosis/gradient_terms.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/diagnosis/applied_rule.hpp>
#include <gradual/nn/diagnosis/trace.hpp>

namespace gradual {
namespace {

// A trace that also keeps dy of each operation.
class TracedGradients : public Trace {
 public:
  void backward(const Node& node, const Tensor& dy) override { dy_[&node] = dy; }
  const Tensor& dy(const Node* node) const {
    static const Tensor none;
    const auto found = dy_.find(node);
    return found == dy_.end() ? none : found->second;
  }

 private:
  std::unordered_map<const Node*, Tensor> dy_;
};

std::vector<Index> place_of(Index element, const Shape& shape) {
  std::vector<Index> place(static_cast<std::size_t>(shape.rank()));
  for (Index axis = shape.rank() - 1; axis >= 0; --axis) {
    place[static_cast<std::size_t>(axis)] = element % shape[axis];
    element /= shape[axis];
  }
  return place;
}

// Throws where there is no such place.
Index element_at(const std::vector<Index>& place, const Shape& shape) {
  bool is_there = static_cast<Index>(place.size()) == shape.rank();
  Index element = 0;
  for (Index axis = 0; is_there && axis < shape.rank(); ++axis) {
    const Index at = place[static_cast<std::size_t>(axis)];
    is_there = at >= 0 && at < shape[axis];
    element = element * shape[axis] + at;
  }
  if (is_there) return element;
  throw std::invalid_argument(
      text("gradient terms: the place must lie in the variable: ", list_of(place), " in ", shape));
}

// What the elements of dy contribute to one element of an input's gradient.
class Contributions {
 public:
  Contributions(const Node& node, std::size_t input, const Tensor& dy, Index element)
      : node_(node), input_(input), dy_(dy), element_(element), weighted_(dy) {
    // With random weights, terms that cancel out do not hide each other.
    Random random(1);
    Real* const numbers = weighted_.mutable_data();
    for (Index i = 0; i < dy.size(); ++i) numbers[i] *= static_cast<Real>(0.5 + random.uniform());
  }
  // Element of y, and its contribution.
  std::vector<std::pair<Index, double>> find() {
    search(0, dy_.size());
    return std::move(found_);
  }

 private:
  double passed_on(const Tensor& numbers, Index first, Index last) const {
    Tensor part = Tensor::zeros(dy_.shape());
    std::copy(numbers.data() + first, numbers.data() + last, part.mutable_data() + first);
    return apply_rule(node_, input_, part).data()[element_];
  }
  void search(Index first, Index last) {
    const auto is_zero = [](Real value) { return value == 0; };
    if (std::all_of(dy_.data() + first, dy_.data() + last, is_zero)) return;
    if (last - first == 1) {
      const double contribution = passed_on(dy_, first, last);
      if (contribution != 0) found_.emplace_back(first, contribution);
    } else if (passed_on(weighted_, first, last) != 0) {
      const Index middle = first + (last - first) / 2;
      search(first, middle);
      search(middle, last);
    }
  }

  const Node& node_;
  std::size_t input_;
  const Tensor& dy_;
  Index element_;
  Tensor weighted_;
  std::vector<std::pair<Index, double>> found_;
};

// A number on the way: of which node, and where in it.
struct Number {
  const Node* node;
  Index element;
};

class Path {
 public:
  Path(const TracedGradients& trace, const std::vector<std::shared_ptr<Node>>& nodes) : trace_(trace) {
    for (const auto& node : nodes)
      for (std::size_t i = 0; i < node->inputs.size(); ++i)
        if (node->inputs[i]) readers_[node->inputs[i].get()].emplace_back(node.get(), i);
  }

  // The terms of a number's gradient, the largest first; the step that they make goes into `step`.
  std::vector<Number> fill(GradientStep& step, const Number& x, Index most) const {
    std::vector<std::pair<GradientTerm, Number>> all;
    const auto readers = readers_.find(x.node);
    if (readers != readers_.end()) {
      for (const auto& [node, input] : readers->second) {
        const Tensor& dy = trace_.dy(node);
        if (!dy.defined()) continue;
        const Index number = trace_.maker(node);
        const Tensor& y = trace_.operations()[number].result.value();
        for (const auto& [j, contribution] : Contributions(*node, input, dy, x.element).find()) {
          const double slope = contribution / static_cast<double>(dy.data()[j]);
          all.push_back({{number + 1, trace_.operations().description(number), place_of(j, y.shape()),
                          y.data()[j], slope, dy.data()[j], contribution},
                         {node, j}});
        }
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::abs(a.first.contribution) > std::abs(b.first.contribution);
    });
    std::vector<Number> largest;
    for (auto& [term, number] : all) {
      if (static_cast<Index>(step.terms.size()) < most) {
        step.terms.push_back(std::move(term));
        largest.push_back(number);
      } else {
        ++step.others;
        step.sum_of_others += term.contribution;
      }
    }
    return largest;
  }

 private:
  const TracedGradients& trace_;
  std::unordered_map<const Node*, std::vector<std::pair<const Node*, std::size_t>>> readers_;
};

}  // namespace

double GradientStep::sum() const {
  double sum = sum_of_others;
  for (const GradientTerm& each : terms) sum += each.contribution;
  return sum;
}

GradientPath explain_gradient(const std::function<Var()>& loss, const Var& x, const std::vector<Index>& place,
                              const GradientTermOptions& options) {
  if (!x.defined() || !x.requires_grad() || !x.node()->is_parameter())
    throw std::invalid_argument("gradient terms: the variable must be a parameter");
  if (options.terms < 1 || options.steps < 1)
    throw std::invalid_argument(text("gradient terms: a path has a step and a term at least: steps are ",
                                     options.steps, ", terms are ", options.terms));
  const Index element = element_at(place, x.shape());
  TracedGradients trace;
  const Var y = loss();
  if (!y.defined() || y.size() != 1)
    throw std::invalid_argument(text("gradient terms: the loss must be one number: it is ",
                                     y.defined() ? y.shape().to_string() : "not defined"));
  const std::vector<std::shared_ptr<Node>> nodes = reachable_nodes(y);
  GradientsAside aside;
  aside.put(x.node());
  if (y.requires_grad()) gradual::backward(y, Graph::keep);
  if (!x.node()->grad.defined())
    throw std::invalid_argument(text("gradient terms: the loss must depend on ", x.node()->description()));
  if (std::find(nodes.begin(), nodes.end(), x.node()) == nodes.end())
    throw std::invalid_argument(text("gradient terms: a path must lie outside of rules: that to ",
                                     x.node()->description(),
                                     " leads through a backward() that a rule calls"));

  const Path path(trace, nodes);
  GradientPath result;
  const std::string& name = x.node()->name;
  result.steps.push_back({name.empty() ? "the parameter" : name,
                          place,
                          x.value().data()[element],
                          x.node()->grad.data()[element],
                          {}});
  Number at{x.node().get(), element};
  while (true) {
    GradientStep& step = result.steps.back();
    if (!std::isfinite(step.gradient))
      throw std::invalid_argument(text("gradient terms: the gradient must be finite: that of ", step.name,
                                       " is ", step.gradient, "; AnomalyDetection says where it comes from"));
    const std::vector<Number> largest = path.fill(step, at, options.terms);
    if (largest.empty() || static_cast<Index>(result.steps.size()) == options.steps) return result;
    const GradientTerm& next = step.terms.front();
    at = largest.front();
    result.steps.push_back({next.name, next.place, next.result, next.dy, {}});
  }
}

ParameterPlace largest_gradient(const std::vector<NamedParameter>& parameters) {
  ParameterPlace largest;
  Real size = 0;
  for (const NamedParameter& each : parameters) {
    const Tensor& gradient = each.variable.grad();
    for (Index i = 0; gradient.defined() && i < gradient.size(); ++i) {
      const Real here = std::abs(gradient.data()[i]);
      if (!(here > size) || !std::isfinite(here)) continue;
      size = here;
      largest = {each, place_of(i, gradient.shape())};
    }
  }
  if (size == 0) throw std::logic_error("gradient terms: a parameter must have a gradient that is not 0");
  return largest;
}

}  // namespace gradual
