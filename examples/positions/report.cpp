#include "report.hpp"

#include <algorithm>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/positions/in_attention.hpp>
#include <gradual/nn/positions/positions.hpp>

#include "../in_code.hpp"
#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"

using namespace gradual;

namespace {

constexpr const char* attention_sees_a_set =
    "Attention by itself does not see in which order items stand: it has to be told.";
constexpr const char* how_attention_works =
    "The item that asks (the query) gives each item before it (a key) a score; the highest get the most "
    "weight. Each of several heads, which are ways to look, has scores of its own.";
constexpr const char* how_places_enter =
    "Waves and learnt numbers of a place are added to the item, a number of a distance to the score. Alibi "
    "lowers "
    "scores in each head at another rate. Queries and keys that are turned by the angles of their places "
    "make "
    "scores that depend on the distance. With nothing, all items before look alike; at most one can tell how "
    "many they are.";
constexpr const char* what_a_guess_is =
    "A guess picks one of all the values that the name has had, at random. In short sequences few names have "
    "had two, so it is often right there.";

// Where the greatest of the lengths stands.
std::size_t longest_of(const LengthSettings& settings) {
  const std::vector<Index>& lengths = settings.lengths;
  return static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
}

// The kinds by how often they are right at the greatest length, the best first.
std::vector<const LengthOutcome*> ranked(const PositionReport& report) {
  const std::size_t longest = longest_of(report.settings);
  std::vector<const LengthOutcome*> ranking;
  for (const LengthOutcome& each : report.kinds) ranking.push_back(&each);
  std::stable_sort(ranking.begin(), ranking.end(), [&](const auto* a, const auto* b) {
    return a->accuracies[longest] > b->accuracies[longest];
  });
  return ranking;
}

// What tells a kind the place of an item, in a few words; nothing of one that is not the library's.
std::string told_by(const std::string& kind) {
  static const std::map<std::string, std::string> known = {{"sinusoidal", "fixed waves of each place"},
                                                           {"learned", "learnt numbers of each place"},
                                                           {"relative", "a learnt number of each distance"},
                                                           {"alibi", "less score for more distance"},
                                                           {"rotary", "an angle of each place"},
                                                           {"none", "nothing"}};
  const auto found = known.find(kind);
  return found == known.end() ? "" : found->second;
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
    : settings(of_lengths), guesses(guesses_without_order(of_lengths)) {}

void PositionReport::add(const LengthOutcome& kind) { kinds.push_back(kind); }

std::string PositionReport::head() const {
  return lines_for_output(
      text("Which way to tell places still works in longer sequences?\n\n", attention_sees_a_set,
           " The task is to say the last value of a name:\n\n  c=7 a=3 c=1 c?  →  c=1\n\nIn which order the "
           "values came is all that tells 1 from 7. \"c=7\" is one item, so this is a sequence of length 4. "
           "One layer of attention learns the task at length ",
           settings.trained_length, ", in ", settings.steps, " steps, and is then asked at others.\n\n",
           how_attention_works, "\n"));
}

std::string PositionReport::lines() const {
  std::vector<ResultTable::Column> columns{{"name", "", 0, "", 10}};
  for (const Index length : settings.lengths)
    columns.push_back({text(length), text(length), 0, "", 4, "% right at length"});
  columns.push_back({"told_by", "places are told by", 0, "", 32, "", true});
  ResultTable table(columns);
  const auto add_row = [&](const std::string& name, const std::vector<double>& right, const std::string& by) {
    std::vector<ResultTable::Cell> row{name};
    row.insert(row.end(), right.begin(), right.end());
    row.emplace_back(by);
    table.add(row);
  };
  table.within(static_cast<std::size_t>(output_columns()));
  for (const LengthOutcome* each : ranked(*this))
    add_row(each->positions, each->accuracies, told_by(each->positions));
  table.part();
  add_row("a guess", guesses, "");
  return table.lines() + "\n" + lines_for_output(text(how_places_enter, " ", what_a_guess_is, "\n"));
}

std::string PositionReport::summary() const {
  if (kinds.empty()) return "";
  const std::size_t at = longest_of(settings);
  constexpr double as_good = 1, hardly_better = 5;  // than a guess, in points
  std::vector<std::string> better, hardly, no_better;
  for (const LengthOutcome* each : ranked(*this)) {
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
  const LengthOutcome& best = *ranked(*this).front();
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
  html.paragraph(summary());
  html.heading(2, "Which kind still answers right in longer sequences?");
  html.paragraph(
      text("“c=7 a=3 c=1 c?” is to be answered with c=1, the last value of c. “c=7” is one item, so this is "
           "a sequence of length 4. One layer of attention, causal, so that an item sees only itself and "
           "those before it, learns the task at length ",
           settings.trained_length, " with each way of telling places, and is then asked at others."));
  html.charts({curves_of(*this)});
  html.paragraph(text("In colour, the best two at the greatest length. ", what_a_guess_is));
  html.heading(3, "How places are told");
  html.paragraph(how_attention_works);
  std::vector<std::pair<std::string, std::string>> ways;
  for (const LengthOutcome* each : ranked(*this))
    ways.emplace_back(each->positions, told_by(each->positions));
  html.terms(ways).paragraph(how_places_enter);
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
  for (const LengthOutcome* each : ranked(*this)) {
    add_row(each->positions, each->accuracies);
    costs.push_back(
        {each->positions, grouped_text(each->parameters), fixed_text(each->cpu_seconds, 1) + " s"});
  }
  add_row("a guess", guesses);
  html.table(titles, rows);
  if (const std::string order = order_finding(); !order.empty()) {
    html.heading(2, "Why places have to be told").paragraph(order);
    std::vector<std::vector<std::string>> changes;
    for (const LengthOutcome& each : kinds)
      changes.push_back({each.positions, percent_text(each.order_matters, 1)});
    html.table({"positions", "changed by shuffling"}, changes);
  }
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
      "Which way to tell places still works in longer sequences?",
      text("one layer of attention, ", settings.steps, " steps each; every model starts from the same seed"),
      html);
}
