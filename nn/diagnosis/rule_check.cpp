#include <gradual/nn/diagnosis/rule_check.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/diagnosis/applied_rule.hpp>
#include <gradual/nn/diagnosis/trace.hpp>

namespace gradual {
namespace {

// As check_gradients() chooses them.
RuleCheckOptions completed(RuleCheckOptions options) {
  constexpr bool is_double = std::numeric_limits<Real>::digits == 53;
  for (const double each : {options.step, options.tolerance})
    if (!(each >= 0) || !std::isfinite(each))
      throw std::invalid_argument(
          text("rule check: step and tolerance must be finite and not below 0: step is ", options.step,
               ", tolerance is ", options.tolerance));
  if (options.step == 0)
    options.step = std::pow(static_cast<double>(std::numeric_limits<Real>::epsilon()), 0.2);
  if (options.tolerance == 0) options.tolerance = is_double ? 1e-6 : 1e-2;
  return options;
}

double dot(const Tensor& w, const Tensor& y) {  // places that are not finite, as in a mask, do not count
  double sum = 0;
  for (Index i = 0; i < y.size(); ++i)
    if (std::isfinite(y.data()[i]))
      sum += static_cast<double>(w.data()[i]) * static_cast<double>(y.data()[i]);
  return sum;
}

double size_of(const Tensor& w, const Tensor& y) {  // the terms of dot() without their signs
  double sum = 0;
  for (Index i = 0; i < y.size(); ++i)
    if (std::isfinite(y.data()[i]))
      sum += std::abs(static_cast<double>(w.data()[i]) * static_cast<double>(y.data()[i]));
  return sum;
}

Tensor random_weights(const Tensor& y, Random random) {
  Tensor w(y.shape());
  Real* const numbers = w.mutable_data();
  for (Index i = 0; i < y.size(); ++i) {
    const double weight = random.normal();
    numbers[i] = std::isfinite(y.data()[i]) ? static_cast<Real>(weight) : 0;
  }
  return w;
}

// By its size, up or down: no number changes its sign, and no step crosses a kink at 0. Zeros stay, unless
// there is nothing else.
Tensor random_direction(const Tensor& x, Random random) {
  const bool all_zero = std::all_of(x.begin(), x.end(), [](Real each) { return each == 0; });
  Tensor v(x.shape());
  Real* const numbers = v.mutable_data();
  for (Index i = 0; i < x.size(); ++i) {
    const Real size = all_zero ? Real(1) : std::abs(x.data()[i]);
    const Real sign = random.uniform() < 0.5 ? Real(-1) : Real(1);
    numbers[i] = std::isfinite(size) ? sign * size : 0;
  }
  return v;
}

Tensor moved(const Tensor& x, const Tensor& v, double step) {
  Tensor y(x.shape());
  Real* const numbers = y.mutable_data();
  for (Index i = 0; i < x.size(); ++i)
    numbers[i] = v.data()[i] == 0 ? x.data()[i] : x.data()[i] + static_cast<Real>(step) * v.data()[i];
  return y;
}

// Which operations another consists of: those in front of it that record nothing, where the last has its
// numbers, as where a block is computed under NoGrad to be computed once more for its slope.
std::vector<bool> inside_others(const TracedOperations& recorded) {
  const auto records = [&](Index i) { return recorded[i].result.requires_grad(); };
  std::vector<bool> inside(static_cast<std::size_t>(recorded.count()));
  for (Index i = 1; i < recorded.count(); ++i)
    if (records(i) && recorded[i].result.value().data() == recorded[i - 1].result.value().data())
      for (Index part = i - 1; part >= 0 && !records(part); --part)
        inside[static_cast<std::size_t>(part)] = true;
  return inside;
}

// Computes again, with every result put back to what it was but one.
class Replay : public GraphObserver {
 public:
  Replay(const TracedOperations& recorded, const std::vector<bool>& inside, Index moved_operation,
         const Tensor& instead)
      : recorded_(recorded), inside_(inside), moved_(moved_operation), instead_(instead) {}

  void forward(const char* operation, const Var& y, const std::vector<Var>&) override {
    const Index number = static_cast<Index>(computed_.size());
    if (number >= recorded_.count() || recorded_[number].name != operation ||
        recorded_[number].result.shape() != y.shape())
      throw std::invalid_argument(
          text("rule check: the loss must be computed in the same way each time: operation ", number + 1,
               " was ", number < recorded_.count() ? recorded_.description(number) : "none", ", is ",
               operation, " of shape ", y.shape()));
    computed_.push_back(y.value());
  }
  Tensor instead_of(const Var&) override {
    const Index number = static_cast<Index>(computed_.size()) - 1;
    if (number == moved_) return instead_;
    return inside_[static_cast<std::size_t>(number)] ? Tensor() : recorded_[number].result.value();
  }
  const std::vector<Tensor>& computed() const { return computed_; }

 private:
  const TracedOperations& recorded_;
  const std::vector<bool>& inside_;
  Index moved_;
  Tensor instead_;
  std::vector<Tensor> computed_;
};

class RuleCheck {
 public:
  RuleCheck(const std::function<Var()>& loss, const RuleCheckOptions& options)
      : loss_(loss), options_(completed(options)) {
    {
      Trace trace;
      loss_();
      recorded_ = trace.operations();
    }
    inside_ = inside_others(recorded_);
    for (Index i = 0; i < recorded_.count(); ++i)
      weights_.push_back(
          random_weights(recorded_[i].result.value(), Random(options_.seed + static_cast<std::uint64_t>(i))));
    check_repeats();
  }

  std::vector<WrongRule> find() {
    std::unordered_map<const Node*, Subject> subjects;
    std::vector<const Node*> order;
    for (Index i = 0; i < recorded_.count(); ++i) {
      for (std::size_t k = 0; k < recorded_[i].inputs.size(); ++k) {
        const Var& x = recorded_[i].inputs[k];
        if (!recorded_[i].sources[k].passes || x.size() == 0) continue;
        const auto [subject, is_new] = subjects.try_emplace(x.node().get());
        if (is_new) {
          order.push_back(x.node().get());
          subject->second = {x, recorded_[i].sources[k].made_by, {}};
        }
        auto& readers = subject->second.readers;
        if (readers.empty() || readers.back() != i) readers.push_back(i);
      }
    }
    for (const Node* node : order) check(subjects.at(node));
    std::stable_sort(wrong_.begin(), wrong_.end(),
                     [](const WrongRule& a, const WrongRule& b) { return a.number < b.number; });
    return std::move(wrong_);
  }

 private:
  // A parameter or result, the operation that made it (-1: a parameter), and those that read it.
  struct Subject {
    Var x;
    Index made_by;
    std::vector<Index> readers;
  };

  void check_repeats() const {
    const std::vector<Tensor> again = computed(-1, Tensor());
    if (static_cast<Index>(again.size()) != recorded_.count())
      throw std::invalid_argument(
          text("rule check: the loss must be computed in the same way each time: it took ", recorded_.count(),
               " operations, then ", again.size()));
    for (Index i = 0; i < recorded_.count(); ++i) {
      const Tensor &before = recorded_[i].result.value(), &now = again[static_cast<std::size_t>(i)];
      if (before.size() > 0 &&
          std::memcmp(before.data(), now.data(), sizeof(Real) * static_cast<std::size_t>(now.size())) != 0)
        throw std::invalid_argument(
            text("rule check: the loss must be the same each time: ", recorded_.description(i),
                 " gives other numbers; dropout does not under an EvaluationScope"));
    }
  }

  // The results of all operations.
  std::vector<Tensor> computed(Index moved_operation, const Tensor& instead) const {
    const Replay replay(recorded_, inside_, moved_operation, instead);
    const NoGrad no_grad;
    loss_();
    return replay.computed();
  }

  // ⟨w, y⟩ of all readers where x is something else.
  std::vector<double> results(const Subject& subject, const Tensor& instead) const {
    Var x = subject.x;
    const Tensor before = x.value();
    std::vector<double> sums;
    if (subject.made_by < 0) x.set_value(instead);
    try {
      const std::vector<Tensor> now = computed(subject.made_by, instead);
      for (const Index reader : subject.readers)
        sums.push_back(dot(weight(reader), now[static_cast<std::size_t>(reader)]));
    } catch (...) {
      if (subject.made_by < 0) x.set_value(before);
      throw;
    }
    if (subject.made_by < 0) x.set_value(before);
    return sums;
  }

  // ⟨Jᵀw, v⟩ of all places of x among the inputs; nothing where a constant of the same numbers is among them:
  // its share cannot be told from theirs.
  std::optional<double> by_rule(Index reader, const Var& x, const Tensor& v, bool in_place) const {
    const TracedOperation& operation = recorded_[reader];
    for (const Var& input : operation.inputs)
      if (input.defined() && !input.requires_grad() && input.size() > 0 &&
          input.value().data() == x.value().data())
        return std::nullopt;
    const Node& node = *operation.result.node();
    double sum = 0;
    for (std::size_t k = 0; k < node.inputs.size(); ++k)
      if (node.inputs[k] == x.node()) sum += dot(v, apply_rule(node, k, weight(reader), in_place));
    return sum;
  }

  void check(const Subject& subject) {
    const Tensor x = subject.x.value();
    const Tensor v = random_direction(x, Random(options_.seed).split());
    std::vector<std::size_t> open(subject.readers.size());  // those that no step has shown to be right
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
    double step = options_.step;
    for (int attempt = 0; attempt < 3 && !open.empty(); ++attempt, step /= 8) {
      const auto near = differences(subject, x, v, step), far = differences(subject, x, v, 2 * step);
      std::vector<std::size_t> still;
      for (const std::size_t i : open) {
        const Index reader = subject.readers[i];
        const double difference = (8 * near[i] - far[i]) / (12 * step);
        if (!agrees(reader, subject.x, v, difference, step, attempt == 2)) still.push_back(i);
      }
      open = still;
    }
  }

  std::vector<double> differences(const Subject& subject, const Tensor& x, const Tensor& v,
                                  double step) const {
    std::vector<double> up = results(subject, moved(x, v, step));
    const std::vector<double> down = results(subject, moved(x, v, -step));
    for (std::size_t i = 0; i < up.size(); ++i) up[i] -= down[i];
    return up;
  }

  bool agrees(Index reader, const Var& x, const Tensor& v, double difference, double step, bool is_last) {
    for (const bool in_place : {false, true}) {
      const std::optional<double> slope = by_rule(reader, x, v, in_place);
      if (!slope) return true;
      const double rounding = 32 * static_cast<double>(std::numeric_limits<Real>::epsilon()) *
                              size_of(weight(reader), recorded_[reader].result.value()) / step;
      const double size = std::max({std::abs(*slope), std::abs(difference), rounding / options_.tolerance});
      if (std::abs(*slope - difference) <= options_.tolerance * size) continue;
      if (is_last) report(reader, x, *slope, difference);
      return false;
    }
    return true;
  }

  void report(Index reader, const Var& x, double slope, double difference) {
    std::string input = x.node()->description();
    for (Index i = 0; i < recorded_.count(); ++i)
      if (recorded_[i].result.node() == x.node()) input = recorded_.description(i);
    wrong_.push_back({reader + 1, recorded_[reader].name, input, slope, difference,
                      text(recorded_.description(reader), ": its rule for ", input, " gives ", slope,
                           " where differences give ", difference)});
  }

  const Tensor& weight(Index number) const { return weights_[static_cast<std::size_t>(number)]; }

  const std::function<Var()>& loss_;
  RuleCheckOptions options_;
  const GradientsAside aside_;  // rules may walk back, through parameters
  TracedOperations recorded_;
  std::vector<bool> inside_;
  std::vector<Tensor> weights_;
  std::vector<WrongRule> wrong_;
};

}  // namespace

std::vector<WrongRule> find_wrong_rules(const std::function<Var()>& loss, const RuleCheckOptions& options) {
  return RuleCheck(loss, options).find();
}

}  // namespace gradual
