// Experiments that record the operations of a pass: what it is made of, and what chance does in it.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <gradual/autograd/observer.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/doctor/experiments/experiment.hpp>

namespace gradual::experiments {
namespace {

// The leaves of the graph of a loss: the parameters that it is made from, known to the patient or not.
std::set<const Node*> leaves_of(const Var& loss) {
  std::set<const Node*> seen, leaves;
  std::vector<const Node*> open;
  const auto visit = [&](const std::shared_ptr<Node>& node) {
    if (node && seen.insert(node.get()).second) open.push_back(node.get());
  };
  visit(loss.node());
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (node->inputs.empty()) leaves.insert(node);
    for (const auto& input : node->inputs) visit(input);
  }
  return leaves;
}

// Are all weights known? Every leaf of the graph of the loss is one of the parameters, or no step will ever
// change it. Those that are other ones in the next pass are made anew, which is another fault.
std::optional<Answer> all_weights_are_known(const Case& of) {
  const EvaluationScope evaluation;
  const Var first = of.patient.loss(of.batch),
            second = of.patient.loss(of.batch);  // both live: no address twice
  const std::set<const Node*> again = leaves_of(second);
  std::set<const Node*> known;
  for (const NamedParameter& each : of.patient.parameters) known.insert(each.variable.node().get());
  std::vector<const Node*> unknown;
  const std::set<const Node*> leaves = leaves_of(first);
  for (const Node* leaf : leaves)
    if (known.count(leaf) == 0 && again.count(leaf) > 0) unknown.push_back(leaf);
  Answer answer{text("of ", leaves.size(), " weights in the loss, ", unknown.size(),
                     " are not among the model's parameters")};
  if (unknown.empty()) return answer;
  const Node* oldest = *std::min_element(unknown.begin(), unknown.end(),
                                         [](const Node* a, const Node* b) { return a->number < b->number; });
  answer.evidence += text(", such as ", oldest->name.empty() ? "one" : oldest->name, " ", oldest->shape);
  answer.cause = text(unknown.size(),
                      " weights are never updated: the loss uses them, and no optimizer has them, "
                      "since they are not among the model's parameters.");
  answer.advice =
      "Let visit() name every layer that the model has: one that is not visited is neither trained nor "
      "saved.";
  answer.chapter = "chapter 11";
  return answer;
}

// All operations of a pass, with what they got.
struct Recording : GraphObserver {
  void forward(const char* operation, const Var& y, const std::vector<Var>& inputs) override {
    made.push_back({operation, y.value(), {}});
    for (const Var& input : inputs) made.back().inputs.push_back(input.defined() ? input.value() : Tensor());
  }
  struct Made {
    std::string operation;
    Tensor y;
    std::vector<Tensor> inputs;
  };
  std::vector<Made> made;
};

bool is_same(const Tensor& a, const Tensor& b) {
  return a.defined() == b.defined() &&
         (!a.defined() || (a.shape() == b.shape() && std::equal(a.begin(), a.end(), b.begin())));
}

std::vector<Recording::Made> recorded_pass(const Case& of) {
  Recording recording;
  of.patient.loss(of.batch);
  return std::move(recording.made);
}

// The first operation of two passes that gave something else because it was given something else; empty where
// it was given the same, or numbers with zeros among them: then it dropped some, itself or by a factor.
std::string given_other_numbers(const Case& of) {
  const std::vector<Recording::Made> a = recorded_pass(of), b = recorded_pass(of);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (is_same(a[i].y, b[i].y)) continue;
    for (std::size_t j = 0; j < std::min(a[i].inputs.size(), b[i].inputs.size()); ++j) {
      const Tensor &x = a[i].inputs[j], &y = b[i].inputs[j];
      if (!is_same(x, y) && std::find(x.begin(), x.end(), Real(0)) == x.end()) return a[i].operation;
    }
    return {};
  }
  return {};
}

// Is a model that is not in training the same twice? Two passes over one batch do the same arithmetic, so the
// losses are equal to the last bit; only chance makes a difference. It comes first, since chance changes what
// all others see.
std::optional<Answer> two_evaluations_are_equal(const Case& of) {
  std::vector<bool> before;
  for (const Mode* mode : of.patient.modes) before.push_back(mode->training);
  for (Mode* mode : of.patient.modes) mode->training = false;
  const NoGrad no_grad;
  const double first = of.patient.loss(of.batch).value().item(),
               second = of.patient.loss(of.batch).value().item();
  const bool is_same_loss = first == second || (std::isnan(first) && std::isnan(second));
  const std::string operation = is_same_loss ? "" : given_other_numbers(of);
  for (std::size_t i = 0; i < before.size(); ++i) of.patient.modes[i]->training = before[i];
  Answer answer{text("the loss of a batch is ", first, " and ", second)};
  if (is_same_loss) return answer;
  answer.chapter = "chapter 12";
  if (!operation.empty()) {
    answer.cause = text("Something is made anew in each pass: the first result that differs is of ",
                        operation, ", which was given other numbers, such as new weights.");
    answer.advice =
        "Make layers once, where the model is made, and visit them: one that is made where it is called has "
        "other weights each time, and never learns.";
    return answer;
  }
  answer.cause = "Chance is at work in evaluation, most likely dropout that never ends.";
  answer.advice =
      "Let what drops ask whether it is in training, hold a Mode, and be visited: evaluation must reach it.";
  return answer;
}

// A pass that goes on, after each operation, with what another pass had there. Where an operation made
// something else nevertheless, out of the same numbers, chance did.
class Replay : public GraphObserver {
 public:
  explicit Replay(const std::vector<Recording::Made>& first) : first_(first) {}
  void forward(const char* operation, const Var& y, const std::vector<Var>&) override {
    if (++made_ > first_.size() || is_same(y.value(), first_[made_ - 1].y)) return;
    const Tensor &kept = first_[made_ - 1].y, &again = y.value();
    Index all = 0, dropped = 0;
    for (Index i = 0; kept.shape() == again.shape() && i < kept.size(); ++i) {
      all += kept.data()[i] != 0;
      dropped += kept.data()[i] != 0 && again.data()[i] == 0;
    }
    const double share = static_cast<double>(dropped) / static_cast<double>(std::max<Index>(all, 1));
    if (share <= share_dropped) return;
    share_dropped = share;
    by = operation;
  }
  Tensor instead_of(const Var& y) override {
    const bool is_known = made_ <= first_.size() && first_[made_ - 1].y.shape() == y.shape();
    return is_known ? first_[made_ - 1].y : Tensor();
  }

  double share_dropped = 0;  // the largest
  std::string by;

 private:
  const std::vector<Recording::Made>& first_;
  std::size_t made_ = 0;
};

// Does dropout leave enough? What is there in one pass of training and 0 in the next was dropped. A half is
// much, and with more than that a model learns little.
std::optional<Answer> dropout_leaves_enough(const Case& of) {
  const NoGrad no_grad;
  const std::vector<Recording::Made> first = recorded_pass(of);
  const Replay second(first);
  of.patient.loss(of.batch);
  if (second.share_dropped == 0) return std::nullopt;
  Answer answer{text("in training, ", second.by, " drops ", std::round(100 * second.share_dropped),
                     " % of its numbers")};
  if (second.share_dropped < 0.65) return answer;
  answer.cause = text("Dropout leaves too little: ", second.by, " drops ",
                      std::round(100 * second.share_dropped), " % of its numbers.");
  answer.advice =
      "Dropout is the share that is dropped, not the share that is kept: 0.1 to 0.3 is usual, and none is "
      "best until the model learns.";
  answer.chapter = "chapter 12";
  return answer;
}

// How many operations of a pass multiply or divide.
Index factors_in(const std::vector<Recording::Made>& pass) {
  return std::count_if(pass.begin(), pass.end(), [](const Recording::Made& each) {
    return each.operation == "mul" || each.operation == "div";
  });
}

// Does dropout keep numbers as large as they are on the whole? What is kept of a share 1 - p is divided by
// it, or evaluation multiplies by it. A mask of zeros and ones that chance makes anew in each pass, and no
// such factor in either, leaves sums in evaluation larger than all that were learnt from.
std::optional<Answer> dropout_keeps_size(const Case& of) {
  const NoGrad no_grad;
  const std::vector<Recording::Made> first = recorded_pass(of), second = recorded_pass(of);
  std::vector<Recording::Made> evaluated;
  {
    const EvaluationScope evaluation;
    evaluated = recorded_pass(of);
  }
  Index masks = 0;
  for (std::size_t i = 0; i + 1 < std::min(first.size(), second.size()); ++i) {
    if (first[i].operation != "mul" || second[i].operation != "mul") continue;
    for (std::size_t j = 0; j < 2; ++j) {
      const Tensor &mask = first[i].inputs[j], &again = second[i].inputs[j];
      if (mask.shape() != first[i].y.shape() || again.shape() != mask.shape() || is_same(mask, again))
        continue;
      if (std::any_of(mask.begin(), mask.end(), [](Real x) { return x != 0 && x != 1; })) continue;
      const Recording::Made& next = first[i + 1];
      const bool is_scaled = (next.operation == "mul" || next.operation == "div") &&
                             std::any_of(next.inputs.begin(), next.inputs.end(),
                                         [&](const Tensor& x) { return is_same(x, first[i].y); });
      masks += !is_scaled;
    }
  }
  if (masks == 0) return std::nullopt;
  Answer answer{text("in training, chance sets numbers to 0 in ", masks,
                     " operations, and leaves the others as "
                     "they are")};
  if (factors_in(evaluated) >= factors_in(first)) return answer;
  answer.cause = "Dropout does not make up for what it drops: the numbers that it keeps stay as they are.";
  answer.advice =
      "Divide what is kept by its share: a mask of 0 and 1/(1 - p), so that sums stay as large on the "
      "whole, and evaluation has nothing to do.";
  answer.chapter = "chapter 12";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_passes() {
  static const std::vector<Experiment> all{{"all weights are known", all_weights_are_known},
                                           {"two evaluations are equal", two_evaluations_are_equal},
                                           {"dropout leaves enough", dropout_leaves_enough},
                                           {"dropout keeps size", dropout_keeps_size}};
  return all;
}

}  // namespace gradual::experiments
