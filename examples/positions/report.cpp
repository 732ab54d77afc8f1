#include "report.hpp"

#include <algorithm>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/positions/in_attention.hpp>
#include <gradual/nn/positions/positions.hpp>

#include "../in_code.hpp"
#include "../terminal/colour.hpp"
#include "../terminal/legend.hpp"

using namespace gradual;

namespace {

constexpr const char* attention_sees_a_set =
    "Attention by itself does not see in which order items stand: it has to be told.";
constexpr const char* how_attention_works =
    "The item that asks (the query) gives each item before it (a key) a score; the highest get the most "
    "weight. Each of several heads, which are ways to look, has scores of its own.";
constexpr const char* what_a_guess_is =
    "A guess picks one of all the values that the name has had, at random. In short sequences few names have "
    "had two, so it is often right there.";

std::vector<ResultTable::Column> columns_of(const LengthSettings& settings) {
  std::vector<ResultTable::Column> columns{{"name", "positions", 0, "", 10}};
  for (const Index length : settings.lengths)
    columns.push_back({text(length), text(length), 0, " %", 5, "right at length"});
  columns.push_back({"parameters", "parameters"});
  columns.push_back({"cpu_seconds", "CPU\ntime", 1, " s", 5});
  return columns;
}

// Where the greatest of the lengths stands.
std::size_t longest_of(const LengthSettings& settings) {
  const std::vector<Index>& lengths = settings.lengths;
  return static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
}

// The kind that is right most often at a length.
const LengthOutcome& best_at(const std::vector<LengthOutcome>& kinds, std::size_t length) {
  return *std::max_element(kinds.begin(), kinds.end(), [&](const auto& a, const auto& b) {
    return a.accuracies[length] < b.accuracies[length];
  });
}

// What each kind does, in a few words; nothing of one that is not the library's.
std::vector<std::pair<std::string, std::string>> described_kinds() {
  static const std::map<std::string, std::string> known = {
      {"sinusoidal", "a fixed pattern of sine waves for each place, added to the item"},
      {"learned", "learned numbers for each place, added to the item"},
      {"relative", "a learned number for each distance, added to the score"},
      {"alibi", "scores fall with the distance, in each head at another rate"},
      {"rotary",
       "queries and keys are turned by an angle that grows with the place, so that a score depends on the "
       "distance"},
      {"none", "nothing: all items before look alike; at most it can tell how many they are"}};
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const std::string& each : position_kinds().names()) {
    const auto found = known.find(each);
    kinds.emplace_back(each, found == known.end() ? "" : found->second);
  }
  return kinds;
}

// A curve for each kind and one of guesses: all but the best two, at the greatest length, are grey.
LineChart curves_of(const PositionReport& report) {
  const LengthSettings& settings = report.settings;
  const std::vector<double> asked(settings.lengths.begin(), settings.lengths.end());
  const std::size_t longest = longest_of(settings);
  LineChart chart{"Answers that are right (%); vertical line: the length of training", "length", {}};
  chart.log_x = true;
  chart.x_ticks = asked;
  chart.x_lines = {static_cast<double>(settings.trained_length)};
  chart.from_zero = chart.names_at_ends = true;
  for (const LengthOutcome& each : report.kinds) {
    const auto better = std::count_if(
        report.kinds.begin(), report.kinds.end(),
        [&](const LengthOutcome& other) { return other.accuracies[longest] > each.accuracies[longest]; });
    chart.series.push_back({each.positions, asked, each.accuracies, false, better >= 2});
  }
  chart.series.push_back({"a guess", asked, report.guesses, true});
  return chart;
}

// What is added to a score by how far back its key is, where anything is.
LineChart added_of(const PositionReport& report) {
  LineChart chart{
      "Added to the score, mean of the heads; vertical line: the length of training", "how far back", {}};
  chart.x_lines = {static_cast<double>(report.settings.trained_length)};
  for (const LengthOutcome& each : report.kinds) {
    Series series{each.positions, {}, each.added_to_scores};
    for (std::size_t back = 0; back < series.y.size(); ++back) series.x.push_back(static_cast<double>(back));
    if (!series.y.empty()) chart.series.push_back(series);
  }
  return chart;
}

// Whether relative positions add more to what is farther than all that they have numbers for than to what is
// just before.
bool far_outscores_near(const std::vector<LengthOutcome>& kinds, Index farthest) {
  const auto at = static_cast<std::size_t>(farthest);
  return std::any_of(kinds.begin(), kinds.end(), [&](const LengthOutcome& each) {
    return each.positions == "relative" && each.added_to_scores.size() > at &&
           each.added_to_scores[at] > each.added_to_scores[at - 1];
  });
}

}  // namespace

PositionReport::PositionReport(const LengthSettings& of_lengths)
    : settings(of_lengths), guesses(guesses_without_order(of_lengths)), table(columns_of(of_lengths)) {}

void PositionReport::add(const LengthOutcome& kind) {
  kinds.push_back(kind);
  std::vector<ResultTable::Cell> row{kind.positions};
  row.insert(row.end(), kind.accuracies.begin(), kind.accuracies.end());
  row.insert(row.end(), {kind.parameters, kind.cpu_seconds});
  table.add(row);
}

std::string PositionReport::head() const {
  return lines_for_output(
      text("Which way to tell places still works in longer sequences?\n\n", attention_sees_a_set,
           " The task is to say the last value of a name:\n\n  c=7 a=3 c=1 c?  →  c=1\n\nIn which order the "
           "values came is all that tells 1 from 7. \"c=7\" is one item, so this is a sequence of length 4. "
           "One layer of attention learns the task at length ",
           settings.trained_length, ", in ", settings.steps, " steps, and is then asked at others.\n\n",
           how_attention_works, " How attention is told places:\n\n", legend(described_kinds()), "\n",
           what_a_guess_is, "\n"));
}

ResultTable PositionReport::with_guess() const {
  std::vector<ResultTable::Cell> guess{"a guess"};
  guess.insert(guess.end(), guesses.begin(), guesses.end());
  guess.resize(guess.size() + 2);  // it has no parameters, and takes no time
  return ResultTable(table).part().add(guess);
}

std::string PositionReport::summary() const {
  if (kinds.empty()) return "";
  const std::size_t at = longest_of(settings);
  std::vector<const LengthOutcome*> ranking;
  for (const LengthOutcome& each : kinds) ranking.push_back(&each);
  std::stable_sort(ranking.begin(), ranking.end(),
                   [&](auto* a, auto* b) { return a->accuracies[at] > b->accuracies[at]; });
  constexpr double as_good = 1, hardly_better = 5;  // than a guess, in points
  std::vector<std::string> better, hardly, no_better;
  for (const LengthOutcome* each : ranking) {
    const double ahead = each->accuracies[at] - guesses[at];
    (ahead < as_good ? no_better : ahead < hardly_better ? hardly : better).push_back(each->positions);
  }
  const std::string asked = text("In short: at length ", settings.lengths[at]);
  if (better.empty()) return asked + " no kind is clearly better than a guess: give it more --steps.";
  return text(asked, " ", better.front(), " is right most often",
              better.size() > 1 ? ", then " + list_text({better.begin() + 1, better.end()}, ", ") : "", ".",
              hardly.empty() ? "" : " Hardly better than a guess: " + list_text(hardly, ", ") + ".",
              no_better.empty() ? "" : " No better: " + list_text(no_better, ", ") + ".");
}

std::string PositionReport::reason() const {
  if (kinds.empty()) return "";
  const std::size_t at = longest_of(settings);
  const LengthOutcome& best = best_at(kinds, at);
  if (best.positions != "alibi" || best.accuracies[at] <= guesses[at] ||
      settings.lengths[at] <= settings.trained_length)
    return "";
  const Index farthest = RelativePositions(1).table.dim(1) / 2;  // the last distance with a number of its own
  return text(
      "Why: in longer sequences sinusoids, learned numbers and rotations meet places or distances that they "
      "have never seen. Relative has one number for all distances from ",
      farthest, " on",
      settings.trained_length <= farthest ? text(", which learning at length ", settings.trained_length,
                                                 " never touches: it is still 0, whatever the distance")
                                          : "",
      ". So it cannot tell far from farther",
      far_outscores_near(kinds, farthest)
          ? ", and far counts more than what stands just before (a jump that the page draws)"
          : "",
      ". Alibi only ever says that farther counts less: here, where the latest value is asked for, that "
      "helps at any length, though less the longer it gets.");
}

std::string PositionReport::order_finding() const {
  std::vector<std::string> blind;
  for (const LengthOutcome& each : kinds)
    if (!each.notices_order()) blind.push_back(each.positions);
  if (blind.size() == kinds.size()) return "";
  return text(
      attention_sees_a_set,
      " To see it, the items of a sequence were shuffled, and what came out of the attention was put back in "
      "order. ",
      blind.empty() ? "" : "With “" + list_text(blind, "” and “") + "” it is the same as without shuffling. ",
      "With the other kinds it changes: the table says how large the change is, as a share of what comes "
      "out. (Here each item sees all others: to see only those before gives some of the order away.)");
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

std::string PositionReport::page() const {
  Html html;
  html.heading(2, "The task");
  html.paragraph(
      text("“c=7 a=3 c=1 c?” is to be answered with c=1, the last value of c. “c=7” is one item, so this is "
           "a sequence of length 4. One layer of attention, causal, so that an item sees only itself and "
           "those before it, learns the task at length ",
           settings.trained_length, " with each way of telling places, and is then asked at others."));
  html.paragraph(how_attention_works);
  html.terms(described_kinds());
  if (const std::string order = order_finding(); !order.empty()) {
    html.heading(2, "Why places have to be told").paragraph(order);
    std::vector<std::vector<std::string>> changes;
    for (const LengthOutcome& each : kinds)
      changes.push_back({each.positions, percent_text(each.order_matters, 1)});
    html.table({"positions", "changed by shuffling"}, changes);
  }
  html.heading(2, "Which kind still answers right in longer sequences?");
  html.paragraph(summary()).paragraph(what_a_guess_is);
  html.charts({curves_of(*this)});
  html.paragraph("In colour, the best two at the greatest length.");
  if (const std::string why = reason(); !why.empty()) html.paragraph(why);
  if (const LineChart added = added_of(*this); !added.series.empty()) html.charts({added});
  html.paragraph(
      text("How many of a hundred are right at each length; learnt at ", settings.trained_length, ":"));
  std::vector<std::string> titles{"positions"};
  for (const Index length : settings.lengths) titles.push_back(text(length));
  std::vector<std::vector<std::string>> rows, costs;
  const auto add_row = [&](const std::string& name, const std::vector<double>& right) {
    rows.push_back({name});
    for (const double share : right) rows.back().push_back(fixed_text(share, 0));
  };
  for (const LengthOutcome& each : kinds) {
    add_row(each.positions, each.accuracies);
    costs.push_back({each.positions, grouped_text(each.parameters), fixed_text(each.cpu_seconds, 1) + " s"});
  }
  add_row("a guess", guesses);
  html.table(titles, rows);
  html.heading(2, "What they cost").paragraph("CPU time is that of training, on all threads together.");
  html.table({"positions", "parameters", "CPU time"}, costs);
  html.heading(2, "Settings")
      .key_values({{"steps", text(settings.steps)},
                   {"sequences in a batch", text(settings.batch)},
                   {"length of training", text(settings.trained_length)},
                   {"width", text(settings.width)},
                   {"heads", text(settings.heads)},
                   {"learning rate", short_text(settings.learning_rate, 3)},
                   {"seed", text(settings.seed)}});
  add_places_in_code(html, "positions",
                     {{"nn/positions/", "the ways to tell places"},
                      {"nn/attention/multi_head.cpp", "attention, which calls them"},
                      {"examples/positions/lengths.cpp", "the task, and how they are trained and tested"}});
  return html_page(
      "Ways to tell places, beyond the lengths of training",
      text("one layer of attention, ", settings.steps, " steps each; every model starts from the same seed"),
      html);
}
