#include <gradual/nn/diagnosis/dead_paths.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/diagnosis/trace.hpp>

namespace gradual {
namespace {

bool all_zero(const Tensor& x) {
  return std::all_of(x.begin(), x.end(), [](Real value) { return value == 0; });
}

// A trace that also knows which results had a gradient other than 0.
class GradientTrace : public Trace {
 public:
  void backward(const Node& node, const Tensor& dy) override {
    const Index number = maker(&node);
    if (number < 0 || all_zero(dy)) return;
    has_slope_.resize(operations().size());
    has_slope_[static_cast<std::size_t>(number)] = true;
  }
  bool has_slope(Index number) const {
    const auto at = static_cast<std::size_t>(number);
    return at < has_slope_.size() && has_slope_[at];
  }

 private:
  std::vector<bool> has_slope_;
};

class Search {
 public:
  Search(const GradientTrace& trace, Index loss)
      : gradients_(trace), trace_(trace.operations()), is_in_loss_(reaching(loss)) {}

  DeadPath examine(const NamedParameter& parameter) const {
    const Var& p = parameter.variable;
    const std::string who = text(parameter.name, " ", p.shape(), ": ");
    const std::vector<bool> reached = reached_by(p);
    if (!is_used(p)) return {parameter.name, DeadPath::Cause::unused, "", who + "no operation uses it"};
    for (Index i = trace_.count() - 1; i >= 0; --i)
      if (reached[at(i)] && gradients_.has_slope(i) && loses_slope(i, p, reached))
        return {parameter.name, DeadPath::Cause::zero, trace_[i].name,
                text(who, "its gradient is 0: ", trace_.description(i), " passes nothing on")};
    return cut(parameter.name, who, p, reached);
  }

 private:
  static std::size_t at(Index number) { return static_cast<std::size_t>(number); }

  static bool is(const Var& input, const Var& p) { return input.defined() && input.node() == p.node(); }
  // As a variable or by its numbers.
  static bool reads(const Var& input, const Var& x) {
    return input.defined() && x.size() > 0 && input.value().data() == x.value().data();
  }
  bool is_used(const Var& p) const {
    for (const TracedOperation& each : trace_)
      for (const Var& input : each.inputs)
        if (is(input, p) || reads(input, p)) return true;
    return false;
  }

  // The operations by whose gradient p gets one.
  std::vector<bool> reached_by(const Var& p) const {
    std::vector<bool> reached(at(trace_.count()));
    for (Index i = 0; i < trace_.count(); ++i) {
      const TracedOperation& each = trace_[i];
      for (std::size_t k = 0; k < each.inputs.size(); ++k) {
        const auto& source = each.sources[k];
        const bool from_before = source.made_by >= 0 && reached[at(source.made_by)];
        if (source.passes && (is(each.inputs[k], p) || from_before)) reached[at(i)] = true;
      }
    }
    return reached;
  }

  // The operations whose numbers the loss is made of, whether a gradient comes back or not.
  std::vector<bool> reaching(Index loss) const {
    std::vector<bool> found(at(trace_.count()));
    if (loss >= 0) found[at(loss)] = true;
    for (Index i = loss; i >= 0; --i) {
      if (!found[at(i)]) continue;
      for (const auto& source : trace_[i].sources)
        if (source.made_by >= 0) found[at(source.made_by)] = true;
    }
    return found;
  }

  // Whether the rules of an operation gave 0 to an input on the way to p.
  bool loses_slope(Index number, const Var& p, const std::vector<bool>& reached) const {
    const TracedOperation& each = trace_[number];
    for (std::size_t k = 0; k < each.inputs.size(); ++k) {
      const auto& source = each.sources[k];
      if (!source.passes) continue;
      if (is(each.inputs[k], p)) return true;  // whose gradient is 0 altogether
      if (source.made_by >= 0 && reached[at(source.made_by)] && !gradients_.has_slope(source.made_by))
        return true;
    }
    return false;
  }

  // How the numbers of x go on without a gradient, where they do: the youngest such operation, and those that
  // the loss is made of before all others.
  std::optional<Index> taken_without_gradient(const Var& x, Index made_by) const {
    std::optional<Index> other;
    for (Index i = trace_.count() - 1; i > made_by; --i) {
      const TracedOperation& each = trace_[i];
      for (std::size_t k = 0; k < each.inputs.size(); ++k) {
        const bool same = made_by >= 0 ? each.sources[k].made_by == made_by
                                       : is(each.inputs[k], x) || reads(each.inputs[k], x);
        if (!same || each.sources[k].passes) continue;
        if (is_in_loss_[at(i)]) return i;
        if (!other) other = i;
      }
    }
    return other;
  }

  DeadPath cut(const std::string& name, const std::string& who, const Var& p,
               const std::vector<bool>& reached) const {
    std::optional<Index> last, taken;  // the youngest that p reaches, and what took its result
    for (Index i = trace_.count() - 1; i >= -1; --i) {
      if (i >= 0 && !reached[at(i)]) continue;
      const std::optional<Index> here = taken_without_gradient(i >= 0 ? trace_[i].result : p, i);
      const bool is_first = !last;
      const bool is_better = here && is_in_loss_[at(*here)] && !(taken && is_in_loss_[at(*taken)]);
      if (is_first || is_better) {
        last = i;
        taken = here;
      }
    }
    const std::string end = *last >= 0 ? text("its path ends at ", trace_.description(*last), ": ") : "";
    if (!taken)
      return {name, DeadPath::Cause::cut, *last >= 0 ? trace_[*last].name : "",
              who + end + "the loss is not made of that result, or of a copy of its numbers"};
    const bool unrecorded = !trace_[*taken].result.requires_grad() && takes_variable(*taken);
    const std::string how =
        unrecorded ? text(trace_.description(*taken), " records nothing (NoGrad)")
                   : text(trace_.description(*taken), " takes ", *last >= 0 ? "its result" : "its value",
                          " as a constant (detached() or value())");
    return {name, DeadPath::Cause::cut, trace_[*last >= 0 && !unrecorded ? *last : *taken].name,
            who + end + how};
  }

  // Whether an input would have passed a gradient on.
  bool takes_variable(Index number) const {
    const auto& inputs = trace_[number].inputs;
    return std::any_of(inputs.begin(), inputs.end(), [](const Var& input) { return input.requires_grad(); });
  }

  const GradientTrace& gradients_;
  const TracedOperations& trace_;
  std::vector<bool> is_in_loss_;
};

}  // namespace

std::vector<DeadPath> find_dead_paths(const std::vector<NamedParameter>& parameters,
                                      const std::function<Var()>& loss) {
  GradientsAside aside;
  for (const NamedParameter& each : parameters) aside.put(each.variable.node());
  GradientTrace trace;
  const Var y = loss();
  if (!y.defined() || y.size() != 1)
    throw std::invalid_argument(text("dead paths: the loss must be one number: it is ",
                                     y.defined() ? y.shape().to_string() : "not defined"));
  if (y.requires_grad()) backward(y);
  const Search search(trace, trace.maker(y));
  std::vector<DeadPath> dead;
  for (const NamedParameter& each : parameters) {
    const Tensor& gradient = each.variable.grad();
    if (!gradient.defined() || all_zero(gradient)) dead.push_back(search.examine(each));
  }
  return dead;
}

}  // namespace gradual
