#include "report.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

using namespace gradual;

namespace {

std::vector<ResultTable::Column> way_columns() {
  return {{"name", "way to attend", 0, "", 19},
          {"parameters", "parameters", 0, "", 6},
          {"cpu_seconds", "CPU\ntime", 1, " s", 6},
          {"exact", "exactly\nright", 1, " %"},
          {"bleu", "BLEU", 1, "", 5},
          {"weight", "weight\non right\nwords", 0, " %"},
          {"strongest", "strongest\nis right", 0, " %"},
          {"strongest_of_best_head", "in the\nbest\nhead", 0, " %", 6}};
}

std::vector<ResultTable::Column> position_columns(const LengthSettings& settings) {
  std::vector<ResultTable::Column> columns{{"name", "positions", 0, "", 10},
                                           {"parameters", "parameters", 0, "", 6},
                                           {"cpu_seconds", "CPU\ntime", 1, " s", 5}};
  for (const Index length : settings.lengths)
    columns.push_back({text(length), text("right\nat\n", length), 0, " %", 5});
  columns.push_back({"order", "what\norder\nchanges"});
  return columns;
}

// The ways by how many sentences they get right, the best first.
void add_ranking(Html& html, const std::vector<Outcome>& ways) {
  std::vector<std::pair<std::string, double>> ranking;
  for (const Outcome& each : ways) ranking.emplace_back(each.name, each.exact / 100);
  std::stable_sort(ranking.begin(), ranking.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  html.bars("Share of held-out sentences that come out exactly right", ranking, true);
}

void add_maps(Html& html, const Report& report) {
  std::vector<Html::Choice> sentences;
  for (std::size_t i = 0; i < report.ways.back().maps.size(); ++i) {
    const AttentionMap& map = report.ways.back().maps[i];
    std::vector<std::string> pictures{
        draw_attention_map(alignment_map(map.queries, map.keys, report.task.test[i].alignment))};
    for (const Outcome& each : report.ways) {
      if (i < each.maps.size()) pictures.push_back(draw_attention_map(each.maps[i]));
    }
    sentences.push_back({report.task.test[i].pair.source, Html().pictures(pictures)});
  }
  html.heading(3, "What they look at");
  html.paragraph(
      "Held-out sentences. Each row is a French word that is about to be said, each column an English word; "
      "of several heads, the one that is closest to the alignment. ⏎ is the end of a sentence.");
  html.choices("Sentence", sentences);
}

}  // namespace

Report::Report(const Task& of_task, const ContestSettings& of_contest, const LengthSettings& of_lengths)
    : task(of_task),
      contest(of_contest),
      lengths(of_lengths),
      way_table(way_columns()),
      position_table(position_columns(of_lengths)) {}

void Report::add(const Outcome& way) {
  ways.push_back(way);
  const auto of_map = [&](double share) { return way.attends ? 100 * share : ResultTable::Cell(); };
  way_table.add({way.name, way.parameters, way.cpu_seconds, way.exact, way.bleu,
                 of_map(way.match.mean_weight()), of_map(way.match.strongest_share()),
                 of_map(way.best.strongest_share())});
}

void Report::add(const LengthOutcome& kind) {
  positions.push_back(kind);
  std::vector<ResultTable::Cell> row{kind.positions, kind.parameters, kind.cpu_seconds};
  row.insert(row.end(), kind.accuracies.begin(), kind.accuracies.end());
  row.push_back(short_text(kind.order_matters, 2));
  position_table.add(row);
}

std::string Report::contest_head() const {
  return text("English to French: ", task.train.size(), " sentence pairs, ", contest.steps, " steps of ",
              contest.batch_tokens, " tokens; ", task.test.size(), " held-out sentences\n\n",
              way_table.head());
}

std::string Report::length_head() const {
  return text("\nThe last value of a name: ", lengths.steps, " steps of ", lengths.batch,
              " sequences of length ", lengths.trained_length, "; right at N: of length N\n\n",
              position_table.head());
}

nlohmann::ordered_json Report::json() const {
  using Json = nlohmann::ordered_json;
  Json json{{"mechanisms", Json::parse(way_table.json())}, {"positions", Json::array()}};
  for (const LengthOutcome& each : positions) {
    Json accuracy;
    for (std::size_t i = 0; i < lengths.lengths.size(); ++i)
      accuracy[text(lengths.lengths[i])] = each.accuracies[i];
    json["positions"].push_back({{"name", each.positions},
                                 {"parameters", each.parameters},
                                 {"cpu_seconds", each.cpu_seconds},
                                 {"accuracy_by_length", accuracy},
                                 {"what_the_order_changes", each.order_matters}});
  }
  return json;
}

std::string Report::page() const {
  Html html;
  std::vector<std::vector<std::string>> descriptions;
  for (const Outcome& each : ways) descriptions.push_back({each.name, each.description});
  html.heading(2, "Ways to attend");
  add_ranking(html, ways);
  html.table({"way to attend", "what it does"}, descriptions).table(way_table.titles(), way_table.rows());
  html.paragraph(
      "The corpus knows which words translate each other. The last columns compare this with what the "
      "decoder looks at while it is told the right translation, for the mean of all heads and for the best "
      "one: how much of the weight lies on the English words that a French word translates, and how often "
      "one "
      "of them gets the largest weight.");
  add_maps(html, *this);

  LineChart chart{"Answers that are right (%); the dashed line: the length of training", "length", {}};
  chart.log_x = true;
  chart.x_ticks = {lengths.lengths.begin(), lengths.lengths.end()};
  chart.x_lines = {static_cast<double>(lengths.trained_length)};
  for (const LengthOutcome& each : positions)
    chart.series.push_back(
        {each.positions, {lengths.lengths.begin(), lengths.lengths.end()}, each.accuracies});
  html.heading(2, "Positions, beyond the lengths of training");
  html.paragraph(
      "Another task, in which the place decides: \"c=7 a=3 c=1 c?\" is to be answered with c=1, the last "
      "thing that c was. One round of causal attention can do it if it knows which c came last. All kinds "
      "are trained on one length, and tested on shorter and longer sequences.");
  html.table(position_table.titles(), position_table.rows()).charts({chart});
  html.heading(3, "Without positions, attention does not know the order");
  html.paragraph(
      "The same trained attention, without the causal mask, looks at a sequence and at its shuffle. If it is "
      "permutation-equivariant, the results are the same but shuffled: ‖f(π(x)) − π(f(x))‖ / ‖f(x)‖, what "
      "the "
      "order changes, is 0 up to rounding.");
  html.heading(2, "Settings")
      .key_values({{"sentence pairs", text(task.train.size())},
                   {"held-out sentences", text(task.test.size())},
                   {"steps", text(contest.steps)},
                   {"tokens in a batch", text(contest.batch_tokens)},
                   {"width", text(contest.width)},
                   {"heads", text(contest.heads)},
                   {"layers", text(contest.layers)},
                   {"window", text(contest.window)},
                   {"learning rate", short_text(contest.learning_rate, 3)},
                   {"positions: steps", text(lengths.steps)},
                   {"positions: sequences in a batch", text(lengths.batch)},
                   {"positions: width", text(lengths.width)},
                   {"seed", text(contest.seed)}});
  return html_page("Ways to attend, side by side",
                   "one task, one budget; every model starts from the same seed", html);
}
