#include <algorithm>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

#include <gradual/nn/drawing/svg.hpp>

#include "../in_code.hpp"
#include "kind_picture.hpp"
#include "report.hpp"
#include "told.hpp"

using namespace gradual;

namespace {

constexpr int best_in_colour = 2;

// A curve for each kind and one of guesses: all but the best two, at the greatest length, are grey.
LineChart curves_of(const PositionReport& report) {
  const LengthSettings& settings = report.settings;
  const std::vector<double> asked(settings.lengths.begin(), settings.lengths.end());
  const std::size_t longest = report.longest();
  LineChart chart{"Answers that are right (%); vertical line: the length of training", "length", {}};
  chart.log_x = true;
  chart.x_ticks = asked;
  chart.x_lines = {static_cast<double>(settings.trained_length)};
  chart.from_zero = chart.names_at_ends = true;
  chart.unit = " %";
  for (const LengthOutcome& each : report.kinds) {
    const auto better = std::count_if(
        report.kinds.begin(), report.kinds.end(),
        [&](const LengthOutcome& other) { return other.accuracies[longest] > each.accuracies[longest]; });
    chart.series.push_back({each.positions, asked, each.accuracies, false, better >= best_in_colour});
  }
  chart.series.push_back({any_value, asked, report.guesses.any, true});
  chart.series.push_back({commonest_value, asked, report.guesses.commonest, true});
  return chart;
}

// What is added to a score by how far back its key is, where anything is.
LineChart added_of(const PositionReport& report) {
  LineChart chart{
      "Added to the score, mean of the heads; vertical line: the length of training", "how far back", {}};
  const auto trained = static_cast<double>(report.settings.trained_length);
  chart.x_lines = {trained};
  chart.x_ticks = {0, trained, 2 * trained, 3 * trained, 4 * trained};
  for (const LengthOutcome& each : report.kinds) {
    Series series{each.positions, {}, each.added_to_scores};
    for (std::size_t back = 0; back < series.y.size(); ++back) series.x.push_back(static_cast<double>(back));
    if (!series.y.empty()) chart.series.push_back(series);
  }
  return chart;
}

// A card for each kind that is known: what it gives to places, what attention makes of it, and what that is
// worth in longer sequences.
void add_kinds(Html& html, const PositionReport& report) {
  std::vector<Html> cards;
  for (const LengthOutcome* each : report.ranked()) {
    const Told its = told(each->positions);
    if (its.how.empty()) continue;
    Html card;
    card.heading(3, each->positions)
        .markup(draw_kind(each->positions, each->added_to_scores))
        .paragraph(its.how)
        .markup("<p class=\"label\">In longer sequences " + escaped(its.longer) + ".</p>");
    cards.push_back(card);
  }
  html.cards(cards, 290);
}

// How often the kind is right in sequences of this length, where such were tested.
std::string how_often(const LengthOutcome& kind, Index length, const LengthSettings& settings) {
  const auto at = std::find(settings.lengths.begin(), settings.lengths.end(), length);
  if (at == settings.lengths.end()) return "";
  return text(" (it is right in ",
              fixed_text(kind.accuracies[static_cast<std::size_t>(at - settings.lengths.begin())], 0),
              " % of such)");
}

// What the question looks at with a kind, in a short sequence and in a long one.
Html looks_of(const LengthOutcome& kind, const LengthSettings& settings) {
  Html its;
  for (const QuestionLook& look : kind.looks)
    its.weighted_words(text("Of ", look.items.size(), " items, the last of which asks: right is ", look.right,
                            ", said is ", look.answer, look.is_right() ? " ✓" : " ✗",
                            how_often(kind, static_cast<Index>(look.items.size()), settings)),
                       look.items, look.weights);
  return its;
}

// What the question at the end of a sequence looks at, by each kind: the best one, and below it another, at
// first one that is right in the short sequence only.
void add_looks(Html& html, const PositionReport& report) {
  const std::vector<const LengthOutcome*> ranked = report.ranked();
  if (ranked.empty() || ranked.front()->looks.empty()) return;
  std::vector<Html::Choice> others;
  std::size_t start = 0;
  for (std::size_t i = ranked.size() - 1; i > 0; --i)
    if (!ranked[i]->looks.empty() && ranked[i]->looks.front().is_right() &&
        !ranked[i]->looks.back().is_right())
      start = i - 1;
  for (std::size_t i = 1; i < ranked.size(); ++i)
    others.push_back({ranked[i]->positions, looks_of(*ranked[i], report.settings)});
  html.heading(2, "What does the question look at?")
      .paragraph(
          "Items are shaded by the weight that the question at the end gives them, in the mean of the heads. "
          "Several values of its name may stand there, and the last one counts. What is said need not be the "
          "item with the most weight: heads look at different items, and what one hears from each counts, "
          "too. Items such as d? are questions, too; shown is what the last one looks at.")
      .markup(
          "<style>.looks .weighted{display:grid;grid-template-columns:repeat(auto-fill,minmax(40px,1fr))}"
          ".looks .weighted>span{padding-inline:0}</style>\n<div class=\"looks\">\n")
      .heading(3, ranked.front()->positions)
      .markup(looks_of(*ranked.front(), report.settings).str())
      .heading(3, "Another kind")
      .choices("Positions", others, Html::Chooser::automatic, start)
      .markup("</div>\n");
}

}  // namespace

std::string PositionReport::page() const {
  Html html;
  html.paragraph(
      text(attention_sees_a_set,
           " “c=7 a=3 c=1 c?” is to be answered with c=1, the last value of c. “c=7” is one item, so this is "
           "a sequence of length 4. One layer of attention, in which an item sees only itself and "
           "those before it, learns the task at length ",
           settings.trained_length, " with each way of telling places, and is then asked at others."));
  html.answer(summary());
  html.heading(2, "Which kind still answers right in longer sequences?");
  html.charts({curves_of(*this)});
  html.paragraph(
      text("In colour, the best two at the greatest length. A guess says any of the values that the name has "
           "had, at random, and the commonest the one that it has had most often. ",
           about_short_ones(), " How many of a hundred are right at each length; learnt at ",
           settings.trained_length, ":"));
  std::vector<std::string> titles{"positions"};
  for (const Index length : settings.lengths) titles.push_back(text(length));
  std::vector<std::vector<std::string>> rows, costs;
  const auto add_row = [&](const std::string& name, const std::vector<double>& right) {
    rows.push_back({name});
    for (const double share : right) rows.back().push_back(fixed_text(share, 0));
  };
  for (const LengthOutcome* each : ranked()) {
    add_row(each->positions, each->accuracies);
    costs.push_back(
        {each->positions, grouped_text(each->parameters), fixed_text(each->cpu_seconds, 1) + " s"});
  }
  add_row(any_value, guesses.any);
  add_row(commonest_value, guesses.commonest);
  html.table(titles, rows, {}, {best_in_colour, 2});
  if (const std::string order = order_finding(); !order.empty())
    html.heading(2, "Why places have to be told").paragraph(order);
  html.heading(2, "How places are told");
  html.paragraph(how_attention_works);
  html.paragraph(
      "Drawn is what sixteen places are given (with rotary, every other), or, with relative and alibi, "
      "sixteen distances to the item that asks, at the right end. The tints of “learned” are an "
      "example, drawn at random, and not the numbers that were learnt.");
  add_kinds(html, *this);
  html.heading(2, "Why they differ");
  if (const std::string blind = blind_finding(); !blind.empty()) html.paragraph(blind);
  if (const std::string why = reason(); !why.empty()) html.paragraph(why);
  if (const LineChart added = added_of(*this); !added.series.empty()) html.charts({added});
  add_looks(html, *this);
  html.markup("<details><summary>Settings, and what each kind costs</summary>")
      .key_values({{"steps", grouped_text(settings.steps)},
                   {"sequences in a batch", text(settings.batch)},
                   {"length of training", text(settings.trained_length)},
                   {"width", text(settings.width)},
                   {"heads", text(settings.heads)},
                   {"learning rate", short_text(settings.learning_rate, 3)},
                   {"seed", text(settings.seed)}})
      .paragraph("CPU time is that of training, on all threads together.")
      .table({"positions", "parameters", "CPU time"}, costs)
      .markup("</details>\n");
  add_places_in_code(html, "positions",
                     {{"nn/positions/", "the ways to tell places"},
                      {"nn/attention/multi_head.cpp", "attention, which calls them"},
                      {"examples/positions/lengths.cpp", "the task, and how they are trained and tested"}});
  return html_page("Which kind of positions still works in longer sequences?",
                   text("one layer of attention, ", grouped_text(settings.steps),
                        " steps each; every model starts from the same seed"),
                   html);
}
