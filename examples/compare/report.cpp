#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/json.hpp>

using namespace gradual;

namespace {

std::vector<ResultTable::Column> way_columns() {
  return {{"name", "way to attend", 0, "", 19},
          {"parameters", "parameters", 0, "", 7},
          {"cpu_seconds", "CPU\ntime", 1, " s", 6},
          {"exact", "exactly\nright", 1, " %"},
          {"bleu", "BLEU", 1, "", 5},
          {"weight", "weight\non right\nwords", 0, " %"},
          {"strongest", "top word\nis right", 0, " %"},
          {"strongest_of_best_head", "same,\nbest\nhead", 0, " %", 5}};
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

// The standard error of a share of `of` sentences, both in per cent.
double standard_error(double share, std::size_t of) {
  return std::sqrt(share * (100 - share) / static_cast<double>(std::max<std::size_t>(of, 1)));
}

std::string in_percent(double share) { return fixed_text(share, 1) + " %"; }

// The others whose share, in per cent of all sentences, is within chance of the best one's: two standard
// errors of the difference.
template <class Share>
std::vector<std::string> within_chance(const std::vector<Outcome>& ways, const Outcome& best,
                                       std::size_t sentences, Share share, int decimals) {
  std::vector<std::string> near;
  for (const Outcome& each : ways) {
    const double difference =
        std::hypot(standard_error(share(best), sentences), standard_error(share(each), sentences));
    if (&each != &best && share(best) - share(each) < 2 * difference)
      near.push_back(text(each.name, " (", fixed_text(share(each), decimals), " %)"));
  }
  return near;
}

// Where the greatest of the lengths stands.
std::size_t longest_of(const LengthSettings& settings) {
  const std::vector<Index>& lengths = settings.lengths;
  return static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
}

const Outcome* find(const std::vector<Outcome>& ways, const std::string& name) {
  const auto found =
      std::find_if(ways.begin(), ways.end(), [&](const Outcome& each) { return each.name == name; });
  return found == ways.end() ? nullptr : &*found;
}

// Some columns of a table, the first of which names its rows.
using Rows = std::vector<std::vector<std::string>>;
Rows columns_of(const Rows& rows, const std::vector<std::size_t>& columns) {
  Rows result(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const std::size_t column : columns) result[i].push_back(rows[i][column]);
  return result;
}

// Each way with what it does on a second line.
Rows described(Rows rows, const std::vector<std::string>& descriptions) {
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][0] += "\n" + descriptions[i];
  return rows;
}

std::string with_size(const std::string& description, Index parameters) {
  return text(description, description.empty() ? "" : "; ", grouped_text(parameters), " parameters");
}

std::vector<std::string> descriptions_of(const std::vector<Outcome>& ways) {
  std::vector<std::string> result;
  for (const Outcome& each : ways) result.push_back(with_size(each.description, each.parameters));
  return result;
}

std::vector<std::string> descriptions_of(const std::vector<LengthOutcome>& positions) {
  const std::map<std::string, std::string> known = {
      {"sinusoidal", "waves of many lengths, added to the tokens"},
      {"learned", "a learned vector for each place, added to the tokens"},
      {"relative", "a learned number for each distance, added to the score"},
      {"alibi", "scores fall with the distance, in each head at another rate (attention with linear biases)"},
      {"rotary", "queries and keys are turned by their places, so that a score depends on the distance"},
      {"none", "nothing tells the order but the mask"}};
  std::vector<std::string> result;
  for (const LengthOutcome& each : positions) {
    const auto found = known.find(each.positions);
    result.push_back(with_size(found == known.end() ? "" : found->second, each.parameters));
  }
  return result;
}

// Makes the curves of a chart grey and thin, but those of the two kinds that are best at the greatest length
// and that of the guess.
std::string grey_but_the_best(const std::vector<LengthOutcome>& positions, std::size_t longest) {
  std::string style = "<style>svg.many .limit{stroke:var(--ink)}";
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto better = std::count_if(positions.begin(), positions.end(), [&](const LengthOutcome& each) {
      return each.accuracies[longest] > positions[i].accuracies[longest];
    });
    if (better >= 2)
      style += text("svg.many{--gradual-series-", i, ":#98a1b3}svg.many .s", i, "{stroke-width:1}");
  }
  return style + "</style>\n";
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
  html.heading(3, "What does each look at?");
  html.paragraph(
      "The first map is what the corpus knows; the nearer another is to it, the better that way found out "
      "which words translate each other. Each row is a French word that is about to be said, each column an "
      "English word, of a held-out sentence; of several heads, the one that is closest to the alignment. ⏎ "
      "is the end of a sentence.");
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
  row.push_back(fixed_text(kind.order_matters, 2));
  position_table.add(row);
}

std::string Report::contest_head() const {
  return text("English to French: ", grouped_text(static_cast<Index>(task.train.size())), " sentence pairs, ",
              contest.steps, " steps of ", contest.batch_tokens, " tokens; ", task.test.size(),
              " held-out sentences\n\n", way_table.head());
}

std::string Report::length_head() const {
  return text("\nThe last value of a name: ", lengths.steps, " steps of ", lengths.batch,
              " sequences of length ", lengths.trained_length, "; right at N: of length N\n\n",
              position_table.head());
}

std::vector<std::string> Report::contest_findings() const {
  if (ways.empty()) return {};
  const Outcome& best = *std::max_element(ways.begin(), ways.end(),
                                          [](const auto& a, const auto& b) { return a.exact < b.exact; });
  if (best.exact == 0) return {"Nothing comes out exactly right yet: give it more --steps."};
  std::vector<std::string> lines;
  const double error = standard_error(best.exact, task.test.size());
  const std::vector<std::string> near = within_chance(
      ways, best, task.test.size(), [](const Outcome& each) { return each.exact; }, 1);
  lines.push_back(
      text("The most sentences come out exactly right with ", best.name, ": ", in_percent(best.exact), " of ",
           task.test.size(), " (standard error: ", fixed_text(error, 1), " points). ",
           near.empty() ? "No other way is within" : "Within",
           " chance of that (two standard errors of the difference)",
           near.empty() ? "." : ": " + list_text(near, ", ") + ". One seed does not tell these apart."));
  const Outcome *dot = find(ways, "dot"), *scaled = find(ways, "scaled dot");
  if (dot != nullptr && scaled != nullptr)
    lines.push_back(text(
        "Without the division by √", contest.width, " the scores of dot are ",
        short_text(std::sqrt(static_cast<double>(contest.width)), 2),
        " times as large, and a training step moves them that much farther. Before any training its "
        "largest weight on a source word is ",
        fixed_text(100 * dot->largest_before, 0), " % on average, that of scaled dot ",
        fixed_text(100 * scaled->largest_before, 0),
        " %. A softmax that is so sure passes hardly any gradient to its scores: after ", contest.steps,
        " steps dot has ", in_percent(dot->exact), " right, scaled dot ", in_percent(scaled->exact), "."));
  return lines;
}

std::string Report::alignment_finding() const {
  const auto strongest = [](const Outcome& each) {  // in per cent
    return each.attends ? 100 * each.match.strongest_share() : 0;
  };
  const auto best = std::max_element(
      ways.begin(), ways.end(), [&](const auto& a, const auto& b) { return strongest(a) < strongest(b); });
  if (best == ways.end() || !best->attends) return "";
  const Outcome* const mean = find(ways, "none: mean");
  const std::vector<std::string> near = within_chance(ways, *best, task.test.size(), strongest, 0);
  return text(
      "Most often with ", best->name, ": before ", fixed_text(strongest(*best), 0),
      " of 100 words, the most weight lies on a word that is translated",
      mean == nullptr ? "" : text("; where all words count alike, before ", fixed_text(strongest(*mean), 0)),
      ". Nobody told them which words these are.",
      near.empty() ? ""
                   : text(" Within chance of the best, with the standard error of ", task.test.size(),
                          " sentences: ", list_text(near, ", "), ". One seed does not tell these apart."));
}

std::string Report::order_finding() const {
  std::vector<std::string> blind;
  for (const LengthOutcome& each : positions)
    if (!each.notices_order()) blind.push_back(each.positions);
  return blind.empty() ? "All kinds notice it."
                       : text("All kinds do but “", list_text(blind, "” and “"), "”. With “",
                              list_text(blind, "” and “"),
                              "”, shuffle what goes in, and the same comes out, shuffled.");
}

std::vector<std::string> Report::length_findings() const {
  if (positions.empty()) return {};
  const std::size_t at = longest_of(lengths);
  const auto& best = *std::max_element(positions.begin(), positions.end(), [&](const auto& a, const auto& b) {
    return a.accuracies[at] < b.accuracies[at];
  });
  const double guess = guesses_without_order(lengths)[at];
  const std::string asked =
      text("Trained on length ", lengths.trained_length, " and asked at length ", lengths.lengths[at], ", ");
  return {
      asked +
      (best.accuracies[at] > guess
           ? text(best.positions, " does best: ", in_percent(best.accuracies[at]),
                  ". A guess among all that the name has been, without knowing what came last, is right in ",
                  in_percent(guess), ".")
           : text("no kind is better than a guess among all that the name has been, which is right in ",
                  in_percent(guess), "; the best is ", best.positions, " with ",
                  in_percent(best.accuracies[at]), ": give it more --position-steps."))};
}

std::string Report::json() const {
  Json json{{"mechanisms", json_of(way_table.json())}, {"positions", Json::array()}};
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
  return json_text(json);
}

std::string Report::page() const {
  Html html;
  html.markup(
      "<style>.compact .number:empty::after{content:\"–\";color:var(--soft)}</style>\n");  // on phones
  html.heading(2, "Ways to attend");
  html.paragraph(
      "One small translator, of which one part is exchanged: how a word learns from other words. All are "
      "trained on the same sentences for as many steps. Chapter 4 explains the scores, such as qᵀk and "
      "vᵀ·tanh(W₁·q + W₂·k), chapter 10 the GRU and what was done before transformers. "
      "BLEU, from 0 to 100, counts the runs of words that a translation shares with the right one: chapter "
      "13b.");
  const std::vector<std::string> found = contest_findings();
  const Rows of_ways = way_table.rows(), of_positions = position_table.rows();
  html.heading(3, "Which way gets the most sentences right?");
  if (!found.empty()) html.paragraph(found.front());
  add_ranking(html, ways);
  const auto titles_of = [](const ResultTable& table, const std::vector<std::size_t>& columns) {
    return columns_of({table.titles()}, columns).front();
  };
  html.table(titles_of(way_table, {0, 2, 3, 4}),
             described(columns_of(of_ways, {0, 2, 3, 4}), descriptions_of(ways)));
  if (found.size() > 1)
    html.heading(3, text("What does the division by √", contest.width, " do?")).paragraph(found.back());
  html.heading(3, "Do they look at the words that they translate?");
  html.paragraph(alignment_finding());
  html.paragraph(
      "The corpus knows which words translate each other. The table compares this with what the decoder "
      "looks "
      "at while it is told the right translation: how much of the weight lies on the English words that a "
      "French word translates, and how often one of them gets the most, in the mean of all heads and, in "
      "the last column, in the best head. "
      "The mean can be right more often than the best head: heads err at different places, and what one "
      "gives "
      "to a wrong word the others do not.");
  html.table(titles_of(way_table, {0, 5, 6, 7}), columns_of(of_ways, {0, 5, 6, 7}));
  add_maps(html, *this);

  const std::vector<double> asked(lengths.lengths.begin(), lengths.lengths.end());
  LineChart chart{"Answers that are right (%); vertical line: the length of training", "length", {}};
  chart.log_x = true;
  chart.x_ticks = asked;
  chart.x_lines = {static_cast<double>(lengths.trained_length)};
  chart.from_zero = chart.names_at_ends = true;
  for (const LengthOutcome& each : positions)
    chart.series.push_back({each.positions, asked, each.accuracies});
  chart.series.push_back({"a guess", asked, guesses_without_order(lengths), true});
  html.heading(2, "Positions, beyond the lengths of training");
  html.paragraph(
      "Another task, in which the place decides: \"c=7 a=3 c=1 c?\" is to be answered with c=1, the last "
      "thing that c was. One round of causal attention can do it if it knows which c came last. All kinds "
      "are trained on one length, and tested on shorter and longer sequences.");
  html.heading(3, "Which kind still answers right in longer sequences?");
  for (const std::string& line : length_findings()) html.paragraph(line);
  std::vector<std::size_t> columns{0};
  while (columns.size() <= lengths.lengths.size())
    columns.push_back(columns.size() + 2);  // behind parameters and time
  html.markup(grey_but_the_best(positions, longest_of(lengths)));
  html.charts({chart}).table(titles_of(position_table, columns),
                             described(columns_of(of_positions, columns), descriptions_of(positions)));
  html.paragraph(
      "Places and distances beyond the length of training are new to sinusoids, learned vectors and "
      "rotations, "
      "which can mislead them: no positions at all may then do as well.");
  html.heading(3, "Which kind notices the order?");
  html.paragraph(order_finding());
  html.paragraph(
      "The same trained attention, without the causal mask, looks at a sequence and at its shuffle. \"What "
      "order changes\" is how far what comes out then differs from the shuffle of what came out before, as a "
      "share of its length: ‖f(π(x)) − π(f(x))‖ / ‖f(x)‖, where x is the sequence, f the attention and π the "
      "shuffle. ✓ in \"notices order\" means that this is more "
      "than "
      "rounding; ✗, that attention sees a set and not a sequence: it is permutation-equivariant.");
  Rows order = columns_of(of_positions, {0, of_positions.empty() ? 0 : of_positions[0].size() - 1});
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i].insert(order[i].begin() + 1, positions[i].notices_order() ? "✓" : "✗");
  html.table({"positions", "notices order", "what order changes"}, order);
  html.heading(2, "Settings")
      .key_values({{"sentence pairs", grouped_text(static_cast<Index>(task.train.size()))},
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
                   text("from English to French, ", grouped_text(static_cast<Index>(task.train.size())),
                        " sentence pairs; one budget of ", contest.steps,
                        " steps, and every model starts from the same seed"),
                   html);
}
