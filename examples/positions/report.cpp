#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/positions/in_attention.hpp>

#include "../ranked.hpp"
#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"
#include "told.hpp"

using namespace gradual;

namespace {

constexpr double lead = 5;  // points above a guess that are clear

// The nearest of the distances, up to that one, to which relative positions add less than to all that is
// farther than they have numbers for; 0 where there is none.
Index nearest_outscored(const std::vector<LengthOutcome>& kinds, Index farthest) {
  const auto far = static_cast<std::size_t>(farthest);
  for (const LengthOutcome& each : kinds) {
    if (each.positions != "relative" || each.added_to_scores.size() <= far) continue;
    std::size_t nearest = far;
    while (nearest > 1 && each.added_to_scores[nearest - 1] < each.added_to_scores[far]) --nearest;
    return nearest < far ? static_cast<Index>(nearest) : 0;
  }
  return 0;
}

}  // namespace

PositionReport::PositionReport(const LengthSettings& of_lengths)
    : settings(of_lengths), guesses(guesses_without_order(of_lengths)) {}

void PositionReport::add(const LengthOutcome& kind) { kinds.push_back(kind); }

std::size_t PositionReport::longest() const {
  const std::vector<Index>& lengths = settings.lengths;
  return static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
}

std::vector<const LengthOutcome*> PositionReport::ranked() const {
  return ::ranked(kinds, [at = longest()](const LengthOutcome& kind) { return kind.accuracies[at]; });
}

std::string PositionReport::head() const {
  return lines_for_output(
      text("Which kind of positions still works in longer sequences?\n\n", attention_sees_a_set,
           " The task is to say the last value of a name:\n\n  c=7 a=3 c=1 c?  →  c=1\n\nIn which order the "
           "values came is all that tells 1 from 7. “c=7” is one item, so this is a sequence of length 4. "
           "One layer of attention learns the task at length ",
           settings.trained_length, ", in ", grouped_text(settings.steps),
           " steps, and is then asked at others.\n\n", how_attention_works, "\n"));
}

std::string PositionReport::lines() const {
  std::vector<ResultTable::Column> columns{{"name", "", 0, "", 10}};
  for (const Index length : settings.lengths)
    columns.push_back({text(length), text(length), 0, "", 4, "% right at length"});
  columns.push_back({"told_by", "how places are told", 0, "", 32, "", true});
  ResultTable table(columns);
  const auto add_row = [&](const std::string& name, const std::vector<double>& right, const std::string& by) {
    std::vector<ResultTable::Cell> row{name};
    row.insert(row.end(), right.begin(), right.end());
    row.emplace_back(by);
    table.add(row);
  };
  table.within(static_cast<std::size_t>(output_columns()));
  for (const LengthOutcome* each : ranked())
    add_row(each->positions, each->accuracies, told(each->positions).by);
  table.part();
  add_row(any_value, guesses.any, "any value that the name has had");
  add_row(commonest_value, guesses.commonest, "the name's commonest value");
  const std::string note = about_short_ones();
  std::vector<std::pair<std::string, Colour>> ahead;
  for (const LengthOutcome& each : kinds)
    if (is_ahead(each)) ahead.emplace_back(each.positions, Colour::accent);
  return with_rows_in_colour(table.lines(), ahead) +
         (note.empty() ? "" : "\n" + lines_for_output(note + "\n"));
}

std::string PositionReport::about_short_ones() const {
  constexpr double often = 80;
  if (settings.lengths.empty()) return "";
  const auto shortest = std::min_element(settings.lengths.begin(), settings.lengths.end());
  if (guesses.any[static_cast<std::size_t>(shortest - settings.lengths.begin())] < often) return "";
  return text("At length ", *shortest,
              " few names have had several values, so that a guess is often right there.");
}

bool PositionReport::is_ahead(const LengthOutcome& kind) const {
  return kind.accuracies[longest()] >= guesses.any[longest()] + lead;
}

std::string PositionReport::longer_lines() const {
  std::vector<std::pair<std::string, std::string>> longer;
  for (const LengthOutcome* each : ranked())
    if (const Told its = told(each->positions); !its.longer.empty())
      longer.emplace_back(each->positions, its.longer);
  return lines_for_output("In longer sequences than those of training:\n" + legend(longer));
}

bool PositionReport::alibi_is_ahead() const {
  const std::size_t at = longest();
  return !kinds.empty() && ranked().front()->positions == "alibi" &&
         ranked().front()->accuracies[at] > guesses.any[at] && settings.lengths[at] > settings.trained_length;
}

std::string PositionReport::summary() const {
  if (kinds.empty()) return "";
  const std::size_t at = longest();
  constexpr double clearly = 1;  // points
  const double guess = guesses.any[at], commonest = guesses.commonest[at];
  std::vector<std::string> better, others;
  double least = 100, most = 0;
  for (const LengthOutcome* each : ranked()) {
    const double right = each->accuracies[at];
    if (is_ahead(*each)) {
      better.push_back(text(each->positions, " (", fixed_text(right, 0), " %)"));
    } else {
      others.push_back(each->positions);
      least = std::min(least, right);
      most = std::max(most, right);
    }
  }
  const std::string asked = text("In short: at length ", settings.lengths[at]);
  if (better.empty() && guess + lead > 100)
    return asked + " a guess is nearly always right: longer --lengths tell the kinds apart.";
  if (better.empty()) return asked + " no kind is clearly better than a guess: give it more --steps.";
  const std::string all = list_text(others, ", "), from = fixed_text(least, 0), to = fixed_text(most, 0);
  return text(asked, others.empty() ? " all" : " only", " ", and_text(better),
              better.size() == 1 ? " is" : " are", " clearly better than a guess (", fixed_text(guess, 0),
              " %)",
              others.empty()
                  ? "."
                  : text(". The others (", all, ") are right in ", from == to ? "" : from + " to ", to, " %",
                         commonest >= most + clearly
                             ? text(", less often than one who always said the name's commonest value (",
                                    fixed_text(commonest, 0), " %).")
                             : "."),
              alibi_is_ahead() ? " Alibi says that farther counts less, which holds at any distance." : "");
}

std::string PositionReport::blind_finding() const {
  constexpr double as_good = 1;  // points
  for (const LengthOutcome& each : kinds) {
    if (each.positions != "none") continue;
    bool is_between = true, beats_guess = false;
    for (std::size_t i = 0; i < settings.lengths.size(); ++i) {
      const double right = each.accuracies[i];
      is_between = is_between && right > guesses.any[i] - as_good && right < guesses.commonest[i] + as_good;
      beats_guess = beats_guess || right > guesses.any[i] + as_good;
    }
    if (is_between && beats_guess)
      return "In long sequences attention without places is a little better than a guess, up to what the "
             "commonest value is worth: it hears how often a value came, and not when.";
  }
  return "";
}

std::string PositionReport::near_finding(Index outscored) const {
  const auto relative = std::find_if(kinds.begin(), kinds.end(),
                                     [](const LengthOutcome& kind) { return kind.positions == "relative"; });
  const std::size_t at = longest();
  if (outscored < 3 || relative == kinds.end() || relative->accuracies[at] <= guesses.commonest[at] + 1)
    return "";
  const std::vector<double>& added = relative->added_to_scores;
  const auto near = added.begin() + outscored;
  if (*std::min_element(added.begin() + 1, near) <= *std::max_element(near, added.end())) return "";
  return text(
      " Still, what stands 1 to ", outscored - 1,
      " back has the highest numbers of all: a last value that stands there is often found. At length ",
      settings.lengths[at], " that is worth more (", fixed_text(relative->accuracies[at], 0),
      " %) than always to say the commonest value (", fixed_text(guesses.commonest[at], 0), " %).");
}

std::string PositionReport::reason() const {
  if (!alibi_is_ahead()) return "";
  const Index farthest = RelativePositions(1).table.dim(1) / 2;  // the last distance with a number of its own
  const Index outscored = nearest_outscored(kinds, farthest);
  return text(
      "Relative has one number for all distances from ", farthest, " on",
      settings.trained_length <= farthest ? text(", which learning at length ", settings.trained_length,
                                                 " never touches: it is still 0, whatever the distance")
                                          : "",
      ". So it cannot tell far from farther",
      outscored == 0 ? ""
                     : text(", and an item ", farthest, " or more back counts more than one ", outscored,
                            farthest - outscored == 1 ? "" : text(" to ", farthest - 1),
                            " back (the jump in the chart)"),
      ".", near_finding(outscored),
      " Alibi only ever says that farther counts less: here, where the latest value is asked for, that "
      "helps at any length, though less the longer it gets.");
}

std::string PositionReport::order_finding() const {
  std::vector<std::string> blind;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const LengthOutcome& each : kinds)
    if (!each.notices_order()) {
      blind.push_back(each.positions);
    } else {
      least = std::min(least, each.order_matters);
      most = std::max(most, each.order_matters);
    }
  if (blind.size() == kinds.size()) return "";
  return text(
      "To see that attention by itself has no order, the items of a sequence were shuffled, and what came "
      "out of "
      "the attention was put back in order. ",
      blind.empty() ? "" : "With “" + list_text(blind, "” and “") + "” it is the same as without shuffling. ",
      "With the other kinds what comes out changes, by ", fixed_text(100 * least, 0), " to ",
      percent_text(most, 0),
      " of its size: they see the order. (Here each item sees all others: to see "
      "only those before gives some of the order away.)");
}

std::string PositionReport::json() const {
  Json json = Json::array();
  for (const LengthOutcome& each : kinds) {
    Json accuracy;
    for (std::size_t i = 0; i < settings.lengths.size(); ++i)
      accuracy[text(settings.lengths[i])] = each.accuracies[i];
    json.push_back({{"name", each.positions},
                    {"parameters", each.parameters},
                    {"cpu_seconds", each.cpu_seconds},
                    {"accuracy_by_length", accuracy},
                    {"what_the_order_changes", each.order_matters}});
  }
  return json_text(json);
}
