// What the figures say, in sentences.
#include <algorithm>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>

#include "../mean_and_spread.hpp"
#include "report.hpp"

using namespace gradual;

namespace {

constexpr double clearly = 1.5;  // times what even weights give

// What the models with one round give to names, or to answers: in the order of tables: "9 %", or "11 % and 9
// %".
std::string of_one_round(const Results& results, double (Looks::*most)() const) {
  std::vector<std::string> figures;
  for (const Result& each : results.models)
    if (each.size.rounds == 1) figures.push_back(percent_text((each.rounds.front().*most)(), 0));
  figures.erase(std::unique(figures.begin(), figures.end()), figures.end());
  return and_text(figures);
}

// The least and the most of these.
std::pair<double, double> range_of_one_round(const Results& results, double (Looks::*most)() const) {
  std::pair<double, double> range{1, 0};
  for (const Result& each : results.models) {
    if (each.size.rounds > 1) continue;
    const double weight = (each.rounds.front().*most)();
    range = {std::min(range.first, weight), std::max(range.second, weight)};
  }
  return range;
}

}  // namespace

std::string result_of(const Results& results) {
  const std::vector<Result>& models = results.models;
  const double share = models.front().curve.figure(),
               others = std::max(models[1].curve.figure(), models[2].curve.figure());
  const double chance = chance_off(others, results.guesses.questions);
  constexpr double far = 20, mastered = 95;
  if (results.guesses.commonest + far > 100)
    return text(
        "In short: a guess is right so often here that little is left to learn: give it more "
        "--names and --values.");
  if (share < others + far)
    return "In short: two rounds are hardly better than one yet, though they can be. Give them more --steps.";
  return text(
      "In short: ",
      share > mastered
          ? "two rounds can do it, and one did not learn it, even with twice the width and more parameters."
          : "two rounds are far better than one, and could be better still.",
      others < results.guesses.commonest + chance
          ? " One does no better than always saying the commonest value so far."
          : " Twice the width does not make up for it.");
}

std::string how_it_answers(const Results& results) {
  const Result& best = results.models.front();
  constexpr double far_from_even = 0.3;  // of a tenth or less
  const double reads = best.rounds.front().most_to_name_before(), finds = best.rounds.back().most_to_answer();
  if (reads < far_from_even || finds < far_from_even) return "";
  return text(
      "How two do it: step 1 is seen in round 1, where a head reads names with ", percent_text(reads, 0),
      " of its weight. Step 2 is seen in round 2, where one finds answers with ", percent_text(finds, 0),
      ". The first is called a previous-token head, the second an induction head (Olsson et al. 2022).");
}

std::string why_one_does_not(const Results& results, const std::string& name, const std::string& value) {
  const double even = results.even.most_to_name_before();
  return text("Why one does not: while the last ", name, " looks for its value, the ", value,
              " would only be learning whose it is, and no round follows that could find it.",
              !how_it_answers(results).empty() &&
                      range_of_one_round(results, &Looks::most_to_name_before).second < clearly * even
                  ? text(" So neither model of one round learns this: they read names with ",
                         of_one_round(results, &Looks::most_to_name_before),
                         " of their weight, even weights with ", percent_text(even, 0), ".")
                  : "",
              " Sanford, Hsu and Telgarsky (2024) prove that one layer would have to grow in proportion to "
              "the length of the sequence.");
}

std::string note_on_values(const Results& results) {
  const double even = results.even.most_to_answer();
  const auto [least, most] = range_of_one_round(results, &Looks::most_to_answer);
  constexpr double hardly_more_than_twice = 2.5;
  if (least < clearly * even || most > hardly_more_than_twice * even) return "";
  return text(
      "A note on finds answer: one round has ", of_one_round(results, &Looks::most_to_answer),
      " there, about twice the ", percent_text(even, 0),
      " of even weights, without knowing whose a value is. A head can look at values alone, and these "
      "are half of the tokens.");
}

std::string when_it_learns(const Results& results) {
  const Result& best = results.models.front();
  const std::vector<Stage>& stages = best.stages;
  constexpr double near = 10, far = 30;  // points
  const double guessing = results.guesses.commonest, end = best.curve.figure();
  const auto guesses = [&](const Stage& stage) { return stage.right < guessing + near; };
  const auto from = std::find_if(stages.rbegin(), stages.rend(), guesses);
  if (from == stages.rend() || end < guessing + far) return "";
  const auto to =
      std::find_if(from.base(), stages.end(), [&](const Stage& stage) { return stage.right > end - near; });
  if (5 * (to->step - from->step) > stages.back().step) return "";
  const auto changed = [](double before, double now) {
    return "from " + fixed_text(before, 0) + " to " + percent_text(now / 100, 0);
  };
  const bool both = to->reads - from->reads > far / 100 && to->finds - from->finds > far / 100;
  return text(
      "When it learns: from step ", from->step, " to step ", to->step,
      " the right answers of the model with ", best.size.rounds, " rounds rise ",
      changed(from->right, to->right), ", “reads name” ", changed(100 * from->reads, 100 * to->reads),
      " and “finds answer” ", changed(100 * from->finds, 100 * to->finds), ".",
      both ? " All three rise together, for each step is worth little without the other: while no value "
             "knows whose it is, there is nothing to find, and while no name asks for it, knowing it "
             "does not help."
           : "");
}
