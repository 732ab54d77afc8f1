// Experiments on some dozens of steps, after which the parameters are what they were.
#include <algorithm>
#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/nn/doctor/experiments/training_from_here.hpp>

namespace gradual::experiments {
namespace {

constexpr const char* too_short =
    "Raise the rate tenfold and look again, or take Adam: plain descent along the gradient needs far higher "
    "rates, and a transformer learns slowly by it even so. Look at what makes steps small besides: gradients "
    "that are clipped to next to nothing, a large ε, or a mean of weights that is put in their place.";

// The lowest loss of some sentences in `steps` steps at a rate; less than `enough` ends it.
double lowest_loss(const Case& of, const TranslationBatch& few, double rate, double enough, Index steps) {
  TrainingFromHere training(of);
  double lowest = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < steps && lowest > enough; ++i) lowest = std::min(lowest, training.step(few, rate));
  return lowest;
}

// Can it learn four sentences by heart? Whatever has more weights than there are words can: the loss goes
// towards 0. What cannot do this will not learn a text. The rate must not be to blame, so there are three.
std::optional<Answer> one_batch_is_learnt_by_heart(const Case& of) {
  std::vector<Index> rows;
  const Index count = of.has_targets() ? of.batch.input.dim(0) : of.batch.source.ids.dim(0);
  for (Index b = 0; b < std::min<Index>(4, count); ++b) rows.push_back(b);
  const TranslationBatch few = rows_of(of.batch, rows);
  const double first = of.loss(few), enough = first / 4, highest = highest_rate(of);
  double lowest = std::numeric_limits<double>::infinity();
  for (const double rate : {highest, highest / 10, highest * 10}) {
    if (lowest <= enough) break;
    lowest = std::min(lowest, lowest_loss(of, few, rate, enough, 300));
  }
  Answer answer{text("the loss of ", rows.size(), " sentences falls from ", first, " to ", lowest)};
  if (lowest <= enough) return answer;
  answer.chapter = "chapter 12";
  if (std::min(lowest_loss(of, few, 100 * highest, enough, 300),
               lowest_loss(of, few, 1000 * highest, enough, 300)) <= enough) {
    answer.cause =
        "Steps are too short by far: it learns a few sentences by heart at a hundred or a thousand times the "
        "rate, and not at its own.";
    answer.advice = too_short;
    return answer;
  }
  answer.cause =
      "It cannot even learn a few sentences by heart: something between words and loss does not come "
      "through, or steps do not follow the gradient.";
  answer.advice =
      "Look at the output first: scores must be free to grow, so there is no softmax, relu or norm between "
      "them and the loss. Then take parts out until it learns, and check_gradients() of what is your own.";
  return answer;
}

constexpr Index first_steps = 40;

// The loss at the end of the first steps at rates of one's own: the mean of the last ten.
double loss_after_first_steps(const Case& of, const std::function<double(Index step)>& rate) {
  constexpr Index counted = 10;
  TrainingFromHere training(of);
  double sum = 0;
  for (Index n = 1; n <= first_steps; ++n) {
    const double loss = training.step(of.patient.batch(n - 1), rate(n));
    if (n > first_steps - counted) sum += loss;
  }
  return sum / counted;
}

// Are steps long enough to get anywhere? A hundred times the rate is far too much for what learns at all.
// What gets nowhere, and does at a hundred times the rate, makes steps that are too short by far.
std::optional<Answer> rate_gets_somewhere(const Case& of) {
  if (!of.patient.rate) return std::nullopt;
  const double rate = highest_rate(of), first = of.loss(of.batch);
  const double own = loss_after_first_steps(of, [&](Index) { return rate; });
  const double hundredfold = loss_after_first_steps(of, [&](Index) { return 100 * rate; });
  Answer answer{text("the first loss is ", first, ", after ", first_steps, " steps at ", rate, " ", own,
                     ", at a hundred times that ", hundredfold)};
  const bool hardly_fell = first - own < 0.025 * first;  // a low rate gets somewhere, if slowly
  if (!hardly_fell || !(first - own < 0.1 * (first - hundredfold))) return answer;
  answer.cause =
      "Steps are too short by far: at a hundred times the rate it learns, and at its own it does not.";
  answer.advice = too_short;
  answer.chapter = "chapter 12";
  return answer;
}

// Is the rate right at the start? Steps as they are planned, and the same with a warm-up, and at a tenth of
// the rate. Slower is worse, unless the first steps are so long that they lead astray.
std::optional<Answer> rate_at_the_start(const Case& of) {
  if (!of.patient.rate) return std::nullopt;
  const auto loss_with = [&](auto factor) {
    return loss_after_first_steps(
        of, [&](Index step) { return of.patient.rate(std::min(step, of.patient.steps)) * factor(step); });
  };
  const double own = loss_with([](Index) { return 1.0; });
  const double warm = loss_with([](Index step) { return static_cast<double>(step) / first_steps; });
  const double tenth = loss_with([](Index) { return 0.1; });
  Answer answer{text("after ", first_steps, " steps the loss is ", own, ", with a warm-up ", warm,
                     ", at a tenth of the rate ", tenth)};
  if (std::min(warm, tenth) > 0.9 * own) return answer;
  answer.cause = warm < 0.9 * own ? "The rate is too high for the first steps: there is no warm-up."
                                  : "The rate is too high from the start, and a warm-up does not help.";
  answer.advice = warm < 0.9 * own
                      ? "Let the rate rise over the first steps, a tenth of the run or less, or lower it."
                      : "Lower the rate to a tenth, and look again.";
  answer.chapter = "chapter 12";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_training() {
  static const std::vector<Experiment> all{{"one batch by heart", one_batch_is_learnt_by_heart},
                                           {"rate gets somewhere", rate_gets_somewhere},
                                           {"rate at the start", rate_at_the_start}};
  return all;
}

}  // namespace gradual::experiments
