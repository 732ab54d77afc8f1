// Experiments on what stands between the last layer of a model and its loss.
#include <algorithm>
#include <cmath>
#include <utility>

#include <gradual/autograd/observer.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/doctor/experiments/experiment.hpp>

namespace gradual::experiments {
namespace {

// The first batch with other words to say in one place, or in all.
TranslationBatch with_other_output(const Case& of, std::optional<Index> place = std::nullopt) {
  TranslationBatch batch = of.batch;
  const Index T = place ? batch.output.size() / batch.output.dim(0) : 1;
  std::vector<std::int32_t> ids(batch.output.begin(), batch.output.end());
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] != TranslationBatch::nothing && (!place || static_cast<Index>(i) % T == *place))
      ids[i] = (ids[i] + 1) % static_cast<std::int32_t>(of.patient.target_words);
  batch.output = Indices(of.batch.output.shape(), std::move(ids));
  return batch;
}

// Is the output asked for? Other words to say make another loss, or it is of something else.
std::optional<Answer> output_is_asked_for(const Case& of) {
  const double loss = of.loss(of.batch), of_others = of.loss(with_other_output(of));
  Answer answer{text("the loss is ", loss, ", and ", of_others, " where other words are to be said")};
  if (loss != of_others) return answer;
  answer.cause = "The loss does not ask for the output: it is the same whatever words are to be said.";
  answer.advice =
      "Give the loss the batch's output. Its input will not do: that holds the word before, so that each "
      "place would be asked for the very word that it is given (input = <bos> w1 w2, output = w1 w2 <eos>).";
  answer.chapter = "chapter 12";
  return answer;
}

// Finds the last operation of a pass that has a parameter among its inputs.
class LastLayer : public GraphObserver {
 public:
  explicit LastLayer(const Patient& patient) : patient_(patient) {}
  void forward(const char*, const Var&, const std::vector<Var>& inputs) override {
    if (std::none_of(inputs.begin(), inputs.end(),
                     [&](const Var& x) { return is_parameter_of(patient_, x); }))
      return;
    const auto given = std::find_if(inputs.begin(), inputs.end(), [&](const Var& x) {
      return x.defined() && !is_parameter_of(patient_, x);
    });
    if (given != inputs.end()) input = given->value();
  }
  Tensor input;  // what it is given, beside parameters

 private:
  const Patient& patient_;
};

// Is the target kept from what must say it? What goes into the last layer at a place may follow from words
// before it, and never changes with the word that must be said there.
std::optional<Answer> target_is_not_read(const Case& of) {
  const Index B = of.batch.output.dim(0), T = of.batch.output.size() / B, changed = T / 2;
  const auto into_last_layer = [&](const TranslationBatch& batch) {
    const LastLayer last(of.patient);
    of.loss(batch);
    return last.input;
  };
  const Tensor before = into_last_layer(of.batch), after = into_last_layer(with_other_output(of, changed));
  if (!before.defined() || before.shape() != after.shape() || before.size() == 0) return std::nullopt;
  const Index D = before.dim(-1), places = before.size() / D / B;
  if (places * B * D != before.size() || places < T) return std::nullopt;
  Index told = 0;
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t <= changed + places - T; ++t) {
      const Real *x = before.data() + (b * places + t) * D, *y = after.data() + (b * places + t) * D;
      told += !std::equal(x, x + D, y);
    }
  Answer answer{text("another word to say in place ", changed + 1,
                     " changes what the last layer is given in ", told, " places up to there")};
  if (told == 0) return answer;
  answer.cause = "The target is read: the model is given the very word that it must say, at its own place.";
  answer.advice =
      "Shift the target: input = <bos> w1 w2, output = w1 w2 <eos>. The loss of model(source, target) and "
      "the same target asks each place for what stands there.";
  answer.chapter = "chapter 12";
  return answer;
}

// The pass of a loss in which the result of one operation is another by a number that is the same in all
// places. Without an operation it looks for the one to take: the last with a parameter among its inputs and
// a result as wide as there are words, which are their scores.
class ShiftedScores : public GraphObserver {
 public:
  ShiftedScores(const Patient& patient, Index shifted) : patient_(patient), shifted_(shifted) {}
  void forward(const char*, const Var& y, const std::vector<Var>& inputs) override {
    ++made_;
    if (y.rank() > 1 && y.dim(-1) == patient_.target_words &&
        std::any_of(inputs.begin(), inputs.end(), [&](const Var& x) { return is_parameter_of(patient_, x); }))
      scores_ = made_;
  }
  Tensor instead_of(const Var& y) override { return made_ == shifted_ ? y.value() + Real(3) : Tensor(); }
  Index scores() const { return scores_; }

 private:
  const Patient& patient_;
  const Index shifted_;
  Index made_ = 0, scores_ = 0;
};

// Do scores reach the softmax as they are? It sees nothing but differences, so 3 more for every word changes
// no probability. What cuts scores off or bends them on the way tells the two apart.
std::optional<Answer> scores_may_be_shifted(const Case& of) {
  const auto loss_and_scores = [&](Index shifted) {
    const ShiftedScores observer(of.patient, shifted);
    const double loss = of.loss(of.batch);
    return std::pair{loss, observer.scores()};
  };
  const auto [loss, scores] = loss_and_scores(0);
  if (scores == 0 || !std::isfinite(loss)) return std::nullopt;
  const double shifted = loss_and_scores(scores).first;
  Answer answer{text("the loss is ", loss, ", and ", shifted, " with 3 more for every word's score")};
  if (std::abs(shifted - loss) <= 1e-3 * std::max(1.0, std::abs(loss))) return answer;
  answer.cause =
      "Between the last layer and the softmax something cuts the scores of words off or bends them: below, "
      "or where it is flat, a word gets no gradient.";
  answer.advice =
      "Give the loss the output of the last layer as it is, without a relu, tanh or sigmoid: scores may be "
      "below 0. (Where they are bounded on purpose, that is as it should be.)";
  answer.chapter = "chapter 11";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_output() {
  static const std::vector<Experiment> all{{"output is asked for", output_is_asked_for},
                                           {"target is not read", target_is_not_read},
                                           {"scores may be shifted", scores_may_be_shifted}};
  return all;
}

}  // namespace gradual::experiments
