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
#include <gradual/nn/positions/positions.hpp>

#include "../mean_and_spread.hpp"

using namespace gradual;

namespace {

std::vector<ResultTable::Column> way_columns() {
  return {{"name", "way to attend", 0, "", 19},
          {"parameters", "parameters", 0, "", 7},
          {"cpu_seconds", "CPU\ntime", 1, " s", 6},
          {"exact", "exactly\nright", 1, " %"},
          {"bleu", "BLEU", 1, "", 5},
          {"weight", "weight", 0, " %", 6, "right words get"},
          {"strongest", "the top", 0, " %", 7, "right words get"},
          {"strongest_of_best_head", "top in\nbest head", 0, " %", 9, "right words get"}};
}

std::vector<ResultTable::Column> position_columns(const LengthSettings& settings) {
  std::vector<ResultTable::Column> columns{{"name", "positions", 0, "", 10},
                                           {"parameters", "parameters", 0, "", 6},
                                           {"cpu_seconds", "CPU\ntime", 1, " s", 5}};
  for (const Index length : settings.lengths)
    columns.push_back({text(length), text(length), 0, " %", 5, "right at length"});
  columns.push_back({"order", "order\nchanges"});
  return columns;
}

std::string in_percent(double share) { return fixed_text(share, 1) + " %"; }

// The others whose share, in per cent of all sentences, is within chance of the best one's: two standard
// errors of the difference.
template <class Share>
std::vector<std::string> within_chance(const std::vector<Outcome>& ways, const Outcome& best,
                                       std::size_t sentences, Share share, int decimals) {
  const auto error = [&](const Outcome& way) {
    return standard_error(share(way), static_cast<double>(sentences));
  };
  std::vector<std::string> near;
  for (const Outcome& each : ways) {
    const double difference = std::hypot(error(best), error(each));
    if (&each != &best && share(best) - share(each) < 2 * difference)
      near.push_back(text(each.name, " (", fixed_text(share(each), decimals), " %)"));
  }
  return near;
}

double share_exact(const Outcome& way) { return way.exact; }

// The one that gets the most sentences right; none where nobody gets any.
const Outcome* most_exact(const std::vector<Outcome>& ways) {
  const auto best = std::max_element(ways.begin(), ways.end(),
                                     [](const auto& a, const auto& b) { return a.exact < b.exact; });
  return best == ways.end() || best->exact == 0 ? nullptr : &*best;
}

// The ways by how many sentences they get right, the best first, and in colour with it what is as good.
void add_ranking(Html& html, const std::vector<Outcome>& ways, std::size_t sentences) {
  std::vector<std::pair<std::string, double>> ranking;
  for (const Outcome& each : ways) ranking.emplace_back(each.name, each.exact / 100);
  std::stable_sort(ranking.begin(), ranking.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  const Outcome* const best = most_exact(ways);
  const std::size_t in_colour =
      best == nullptr ? 0 : 1 + within_chance(ways, *best, sentences, share_exact, 1).size();
  html.bars(text("Share of ", sentences, " held-out sentences that come out exactly right",
                 in_colour == 0   ? ""
                 : in_colour == 1 ? "; in colour, the best"
                                  : "; in colour, the best and all that are within chance of it"),
            ranking, true, in_colour);
}

// Where the greatest of the lengths stands.
std::size_t longest_of(const LengthSettings& settings) {
  const std::vector<Index>& lengths = settings.lengths;
  return static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
}

// The kind that is right most often at a length.
const LengthOutcome& best_at(const std::vector<LengthOutcome>& positions, std::size_t length) {
  return *std::max_element(positions.begin(), positions.end(), [&](const auto& a, const auto& b) {
    return a.accuracies[length] < b.accuracies[length];
  });
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

// What a kind of positions does, in a few words; empty for one that is not the library's.
std::string description_of(const std::string& positions) {
  static const std::map<std::string, std::string> known = {
      {"sinusoidal", "waves of many lengths, added to the tokens"},
      {"learned", "a learned vector for each place, added to the tokens"},
      {"relative", "a learned number for each distance, added to the score"},
      {"alibi", "scores fall with the distance, in each head at another rate"},
      {"rotary", "queries and keys are turned by an angle that grows with the place"},
      {"none", "nothing: a place sees those before it alike, as a set"}};
  const auto found = known.find(positions);
  return found == known.end() ? "" : found->second;
}

std::vector<std::string> descriptions_of(const std::vector<LengthOutcome>& positions) {
  std::vector<std::string> result;
  for (const LengthOutcome& each : positions)
    result.push_back(with_size(description_of(each.positions), each.parameters));
  return result;
}

// Names with what they mean, one below the other.
std::string legend(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& [name, meaning] : rows) width = std::max(width, name.size());
  std::string lines;
  for (const auto& [name, meaning] : rows) lines += "  " + left_in(width, name) + "  " + meaning + "\n";
  return lines;
}

// A curve for each kind and one of guesses: all but the best two, at the greatest length, are grey.
LineChart curves_of(const std::vector<LengthOutcome>& positions, const LengthSettings& settings,
                    const std::vector<double>& guesses) {
  const std::vector<double> asked(settings.lengths.begin(), settings.lengths.end());
  const std::size_t longest = longest_of(settings);
  LineChart chart{"Answers that are right (%); vertical line: the length of training", "length", {}};
  chart.log_x = true;
  chart.x_ticks = asked;
  chart.x_lines = {static_cast<double>(settings.trained_length)};
  chart.from_zero = chart.names_at_ends = true;
  for (const LengthOutcome& each : positions) {
    const auto better = std::count_if(positions.begin(), positions.end(), [&](const LengthOutcome& other) {
      return other.accuracies[longest] > each.accuracies[longest];
    });
    chart.series.push_back({each.positions, asked, each.accuracies, false, better >= 2});
  }
  chart.series.push_back({"a guess", asked, guesses, true});
  return chart;
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
      "is the end of a sentence: it translates no word, so its row in the known alignment is empty, and "
      "wherever a way looks before it is as good. “none: recurrent” has no map, as it has no attention.");
  html.choices("Sentence", sentences);
}

}  // namespace

Report::Report(const Task& of_task, const ContestSettings& of_contest, const LengthSettings& of_lengths)
    : task(of_task),
      contest(of_contest),
      lengths(of_lengths),
      guesses(guesses_without_order(of_lengths)),
      way_table(way_columns()),
      position_table(position_columns(of_lengths)) {}

void Report::add(const Outcome& way) {
  if (!ways.empty() && ways.back().heads != way.heads) way_table.part();
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
  const SentencePair& example = task.test.front().pair;
  return text("1 of 2: Which way to attend translates best?\n\nFrom English to French, as in\n  ",
              example.source, "\n  → ", example.target, "\n\nAll learn from ",
              grouped_text(static_cast<Index>(task.train.size())), " pairs in ", contest.steps,
              " steps, and then translate ", task.test.size(),
              " others. All\nbut the recurrent ones are one small transformer but for this part:\n",
              legend(ways_to_attend(contest)), "\n");
}

std::string Report::contest_columns() const {
  return "BLEU, from 0 to 100, counts the runs of words that are as in the right translation. \"Right words "
         "get\" is about where a way looks before it writes a French word: how much of its weight lies on "
         "the English words that this one translates, how often the top weight does, and how often in the "
         "best single head.";
}

std::string Report::length_head() const {
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const std::string& each : position_kinds().names()) kinds.emplace_back(each, description_of(each));
  return text(
      "2 of 2: Which way to tell places still works in longer sequences?\n\n"
      "The task is to say the last value of a name:\n\n  c=7 a=3 c=1 c?  →  c=1\n\nAll learn from sequences "
      "of length ",
      lengths.trained_length, ", in ", lengths.steps, " steps; then others are asked.\n\n", legend(kinds),
      "\n");
}

std::string Report::length_columns() const {
  return "\"Order changes\" is how much a shuffle of the sequence changes what comes out: 0.00 where no "
         "order is seen.";
}

std::string Report::position_lines() const {
  ResultTable table = position_table;
  std::vector<ResultTable::Cell> guess{"a guess", {}, {}};
  for (const double share : guesses) guess.emplace_back(share);
  guess.emplace_back();
  return table.add(guess).lines();
}

std::string Report::contest_summary() const {
  const Outcome* const best = most_exact(ways);
  if (best == nullptr) return "";
  std::vector<std::string> leading = within_chance(ways, *best, task.test.size(), share_exact, 1);
  leading.insert(leading.begin(), text(best->name, " (", in_percent(best->exact), ")"));
  return text("In short: ", list_text(leading, ", "),
              leading.size() == 1 ? " is ahead." : " lead; one seed does not tell them apart.");
}

std::vector<std::string> Report::contest_findings() const {
  std::vector<std::string> findings;
  const std::string ranking = most_exact(ways) ? "" : ranking_finding();  // else the summary has it
  for (const std::string& each : {ranking, scoreless_finding(), division_finding()})
    if (!each.empty()) findings.push_back(each);
  return findings;
}

std::string Report::ranking_finding() const {
  if (ways.empty()) return "";
  const Outcome* const best = most_exact(ways);
  if (best == nullptr) return "Nothing comes out exactly right yet: give it more --steps.";
  const double error = standard_error(best->exact, static_cast<double>(task.test.size()));
  const std::vector<std::string> near = within_chance(ways, *best, task.test.size(), share_exact, 1);
  return text("The most sentences come out exactly right with ", best->name, ": ", in_percent(best->exact),
              " of ", task.test.size(), " (standard error: ", fixed_text(error, 1), " points). ",
              near.empty() ? "No other way is within" : "Within",
              " chance of that (two standard errors of the difference)",
              near.empty() ? "." : ": " + list_text(near, ", ") + ". One seed does not tell these apart.");
}

std::string Report::scoreless_finding() const {
  const Outcome *best = most_exact(ways), *mean = find(ways, "none: mean"),
                *recurrent = find(ways, "none: recurrent"), *looking = find(ways, "recurrent, additive");
  constexpr double far_behind = 20;  // in points; with some hundred sentences this is no chance
  std::vector<std::string> reasons;
  if (best != nullptr && mean != nullptr && mean->exact < best->exact - far_behind)
    reasons.push_back(
        text("With \"none: mean\" every word counts alike, so it hears which words a sentence has and not "
             "which of them is next: ",
             in_percent(mean->exact), "."));
  if (recurrent != nullptr && looking != nullptr && recurrent->exact < looking->exact - far_behind)
    reasons.push_back(text("With \"none: recurrent\" one vector has to hold the whole sentence, which ",
                           contest.steps, " steps do not teach it: ", in_percent(recurrent->exact),
                           ". Once it may look back at the words, it gets ", in_percent(looking->exact),
                           "."));
  return list_text(reasons);
}

std::string Report::division_finding() const {
  const Outcome *dot = find(ways, "dot"), *scaled = find(ways, "scaled dot");
  if (most_exact(ways) == nullptr || dot == nullptr || scaled == nullptr) return "";
  const auto share = [](double sure) { return fixed_text(100 * sure, 0) + " %"; };
  return text(
      "Without the division by √", contest.width, " the scores of dot are ",
      short_text(std::sqrt(static_cast<double>(contest.width)), 2),
      " times as large: it is sure before it knows anything. More than 95 % of its weight on the source "
      "goes to one word for ",
      share(dot->sure_before), " of the words before any training, and for ", share(dot->sure_early),
      " after ", dot->early, " steps (scaled dot: ", share(scaled->sure_before), " and ",
      share(scaled->sure_early),
      "). A weight p passes p·(1 − p) of what it could gain to its score, then less than 0.05 of it: a "
      "choice made too soon is hardly ever revised. After ",
      contest.steps, " steps dot has ", in_percent(dot->exact), " right, scaled dot ",
      in_percent(scaled->exact), ".");
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
      " of 100 French words, the most weight lies on the English word that the French one translates",
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

std::string Report::length_summary() const {
  if (positions.empty()) return "";
  const std::size_t at = longest_of(lengths);
  const LengthOutcome& best = best_at(positions, at);
  const double guess = guesses[at];
  return text("In short: at length ", lengths.lengths[at], ", ", best.positions, " is best, ",
              in_percent(best.accuracies[at]), " right; a guess, ", in_percent(guess), ".");
}

std::vector<std::string> Report::length_findings() const {
  if (positions.empty()) return {};
  const std::size_t at = longest_of(lengths);
  const LengthOutcome& best = best_at(positions, at);
  const double guess = guesses[at];
  const std::string asked =
      text("Trained on length ", lengths.trained_length, " and asked at length ", lengths.lengths[at], ", ");
  return {
      asked +
      (best.accuracies[at] > guess
           ? text(
                 best.positions, " does best: ", in_percent(best.accuracies[at]),
                 ". A guess among all that the name has been, without knowing what came last, is right in ",
                 in_percent(guess), ".",
                 best.positions == "alibi"
                     ? " Sinusoids, learned vectors and rotations meet places or distances there that they "
                       "have "
                       "never seen; alibi only ever says that farther counts less, which helps at any length."
                     : "")
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
  const SentencePair& example = task.test.front().pair;
  const Rows of_ways = way_table.rows(), of_positions = position_table.rows();
  html.heading(2, "Ways to attend");
  html.paragraph(text(
      "One small translator, of which one part is exchanged: how a word learns from other words. All are "
      "trained on the same sentences for as many steps, and then translate ",
      task.test.size(), " that they have not seen, such as “", example.source, "”, which is “",
      example.target, "” in French."));
  html.heading(3, "Which way gets the most sentences right?");
  html.paragraph(ranking_finding());
  add_ranking(html, ways, task.test.size());
  if (const std::string why = scoreless_finding(); !why.empty()) html.paragraph(why);
  const auto titles_of = [](const ResultTable& table, const std::vector<std::size_t>& columns) {
    return columns_of({table.titles()}, columns).front();
  };
  html.table(titles_of(way_table, {0, 2, 3, 4}),
             described(columns_of(of_ways, {0, 2, 3, 4}), descriptions_of(ways)));
  html.paragraph(
      "CPU time is that of training, on all threads together. BLEU, from 0 to 100, counts the runs of words "
      "that a translation shares with the right one: chapter 13b. As formulas, for a query q and a key k of "
      "width d, the scores are vᵀ·tanh(W₁·q + W₂·k) (additive), qᵀk (dot) and qᵀk/√d (scaled dot): chapter "
      "4. "
      "The recurrent networks are GRUs: chapter 10.");
  if (const std::string division = division_finding(); !division.empty())
    html.heading(3, text("What does the division by √", contest.width, " do?")).paragraph(division);
  html.heading(3, "Do they look at the words that they translate?");
  html.paragraph(alignment_finding());
  html.paragraph(
      "The corpus knows which words translate each other. The table compares this with what the decoder "
      "looks at while it is told the right translation: how much of the weight lies on the English words "
      "that a "
      "French word translates, and how often one of them gets the most, in the mean of all heads and, in "
      "the last column, in the best head. "
      "The mean can be right more often than the best head: heads err at different places, and what one "
      "gives to a wrong word the others do not.");
  html.table(titles_of(way_table, {0, 5, 6, 7}), columns_of(of_ways, {0, 5, 6, 7}));
  add_maps(html, *this);

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
  html.charts({curves_of(positions, lengths, guesses)})
      .table(titles_of(position_table, columns),
             described(columns_of(of_positions, columns), descriptions_of(positions)));
  html.paragraph(
      "The best two at the greatest length are in colour. Places and distances beyond the length of training "
      "are new to sinusoids, learned vectors and rotations, which can mislead them: no positions at all may "
      "then do as well.");
  html.heading(3, "Which kind notices the order?");
  html.paragraph(order_finding());
  html.paragraph(
      "The same trained attention, without the causal mask, looks at a sequence and at its shuffle. \"What "
      "order changes\" is how far what comes out then differs from the shuffle of what came out before, as a "
      "share of its length: ‖f(π(x)) − π(f(x))‖ / ‖f(x)‖, where x is the sequence, f the attention and π the "
      "shuffle. ✓ in \"notices order\" means that this is more than rounding; ✗, that attention sees a set "
      "and not a sequence: it is permutation-equivariant.");
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
