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
#include <gradual/nn/positions/in_attention.hpp>
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
          {"strongest", "top word\nis right", 0, " %"}};
}

std::vector<ResultTable::Column> look_columns() {
  return {{"name", "way to attend"},
          {"weight", "weight", 0, " %"},
          {"strongest", "top", 0, " %"},
          {"strongest_of_best_head", "top, best head", 0, " %"}};
}

std::vector<ResultTable::Column> position_columns(const LengthSettings& settings) {
  std::vector<ResultTable::Column> columns{{"name", "positions", 0, "", 10},
                                           {"parameters", "parameters", 0, "", 6},
                                           {"cpu_seconds", "CPU\ntime", 1, " s", 5}};
  for (const Index length : settings.lengths)
    columns.push_back({text(length), text(length), 0, " %", 5, "right at length"});
  return columns;
}

std::string in_percent(double share) { return fixed_text(share, 1) + " %"; }

// The others whose share, in per cent of all sentences, is within chance of the best one's.
template <class Share>
std::vector<std::string> within_chance(const std::vector<Outcome>& ways, const Outcome& best,
                                       std::size_t sentences, Share share, int decimals) {
  std::vector<std::string> near;
  for (const Outcome& each : ways) {
    if (&each != &best && may_be_chance(share(best), share(each), static_cast<double>(sentences)))
      near.push_back(text(each.name, " (", fixed_text(share(each), decimals), " %)"));
  }
  return near;
}

double share_exact(const Outcome& way) { return way.exact; }

constexpr const char* sentences_alone =
    "That allows only for which sentences were drawn: each way was trained once, and another seed would move "
    "the figures, too.";

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

using Rows = std::vector<std::vector<std::string>>;

// The name of each row, and some columns one after the other.
Rows figures_of(const ResultTable& table, std::size_t from, std::size_t count) {
  Rows result;
  for (const std::vector<std::string>& row : table.rows()) {
    result.push_back({row.front()});
    for (std::size_t column = from; column < from + count; ++column) result.back().push_back(row[column]);
  }
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
      {"none", "nothing: a place sees those before it alike, and can count them"}};
  const auto found = known.find(positions);
  return found == known.end() ? "" : found->second;
}

std::vector<std::string> descriptions_of(const std::vector<LengthOutcome>& positions) {
  std::vector<std::string> result;
  for (const LengthOutcome& each : positions)
    result.push_back(with_size(description_of(each.positions), each.parameters));
  return result;
}

// Names with what they mean, one below the other; a meaning may have several lines.
std::string legend(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& [name, meaning] : rows) width = std::max(width, name.size());
  std::string lines;
  for (const auto& [name, meaning] : rows) {
    lines += "  " + left_in(width, name) + "  ";
    for (const char c : meaning) lines += c == '\n' ? "\n" + std::string(width + 4, ' ') : std::string(1, c);
    lines += "\n";
  }
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

// The ways whose maps are seen at once: what gets the most right, if it has any, and what the division
// changes.
std::vector<std::string> seen_at_once(const std::vector<Outcome>& ways) {
  std::vector<std::string> names{"scaled dot", "dot"};
  const Outcome* const best = most_exact(ways);
  if (best != nullptr && best->name != "scaled dot" && best->name != "dot")
    names.insert(names.begin(), best->name);
  return names;
}

void add_maps(Html& html, const Report& report) {
  const std::vector<std::string> first = seen_at_once(report.ways);
  std::vector<Html::Choice> sentences;
  for (std::size_t i = 0; i < report.ways.back().maps.size(); ++i) {
    const AttentionMap& any = report.ways.back().maps[i];
    std::vector<std::string> shown{
        draw_attention_map(alignment_map(any.queries, any.keys, report.task.test[i].alignment))},
        others;
    for (const std::string& name : first)
      if (const Outcome* way = find(report.ways, name); way != nullptr && i < way->maps.size())
        shown.push_back(draw_attention_map(way->maps[i]));
    for (const Outcome& each : report.ways)
      if (i < each.maps.size() && std::count(first.begin(), first.end(), each.name) == 0)
        others.push_back(draw_attention_map(each.maps[i]));
    Html maps;
    maps.pictures(shown);
    if (!others.empty())
      maps.markup("<details><summary>The other ways</summary>").pictures(others).markup("</details>");
    sentences.push_back({report.task.test[i].pair.source, maps});
  }
  html.heading(3, "What does each look at?");
  html.paragraph(
      "Each row is a French word that is about to be said, each column an English word; the first map is "
      "what the corpus knows of which words translate each other, and nobody told the others. Of several "
      "heads, the one that is closest to it. ⏎ is the end of a sentence, which translates no word; “none: "
      "recurrent” has no map, as it has no attention.");
  html.choices("Sentence", sentences);
}

}  // namespace

Report::Report(const Task& of_task, const ContestSettings& of_contest, const LengthSettings& of_lengths)
    : task(of_task),
      contest(of_contest),
      lengths(of_lengths),
      guesses(guesses_without_order(of_lengths)),
      way_table(way_columns()),
      look_table(look_columns()),
      position_table(position_columns(of_lengths)) {}

void Report::add(const Outcome& way) {
  if (ways.empty() || ways.back().heads != way.heads)
    way_table.part(way.heads == 0   ? "no attention, or a recurrent network's"
                   : way.heads == 1 ? "one head"
                                    : text(way.heads, " heads"));
  ways.push_back(way);
  const auto shown_if = [](bool shown, double share) { return shown ? 100 * share : ResultTable::Cell(); };
  const ResultTable::Cell top = shown_if(way.prefers, way.match.strongest_share());
  way_table.add({way.name, way.parameters, way.cpu_seconds, way.exact, way.bleu, top});
  look_table.add({way.name, shown_if(way.attends, way.match.mean_weight()), top,
                  shown_if(way.prefers, way.best.strongest_share())});
}

void Report::add(const LengthOutcome& kind) {
  positions.push_back(kind);
  std::vector<ResultTable::Cell> row{kind.positions, kind.parameters, kind.cpu_seconds};
  row.insert(row.end(), kind.accuracies.begin(), kind.accuracies.end());
  position_table.add(row);
}

std::string Report::contest_head() const {
  const SentencePair& example = task.test.front().pair;
  return text(
      "1 of 2: Which way to attend translates best?\n\nAll learn from ",
      grouped_text(static_cast<Index>(task.train.size())), " pairs in ", contest.steps,
      " steps and then translate ", task.test.size(), " others, such as\n  ", example.source, "\n  → ",
      example.target,
      "\n\nEach is the same small transformer with another part in one place, how a word\nlearns from "
      "other words; the recurrent ones are networks of their own:\n",
      legend(ways_to_attend(contest)), "\n");
}

std::string Report::contest_columns() const {
  return "BLEU, from 0 to 100, counts the runs of words that are as in the right translation. \"Top word is "
         "right\": before a French word, the English word with the most weight is one that it translates.";
}

std::string Report::length_head() const {
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const std::string& each : position_kinds().names()) kinds.emplace_back(each, description_of(each));
  return text(
      "2 of 2: Which way to tell places still works in longer sequences?\n\n"
      "The task is to say the last value of a name:\n\n  c=7 a=3 c=1 c?  →  c=1\n\n\"c=7\" is one item, so "
      "this is a sequence of length 4. All learn from length ",
      lengths.trained_length, ",\nin ", lengths.steps, " steps; then they are asked at others.\n\n",
      legend(kinds), "\n");
}

std::string Report::position_lines() const {
  ResultTable table = position_table;
  std::vector<ResultTable::Cell> guess{"a guess", {}, {}};
  for (const double share : guesses) guess.emplace_back(share);
  return table.add(guess).lines();
}

std::string Report::contest_summary() const {
  const Outcome* const best = most_exact(ways);
  if (best == nullptr)
    return ways.empty() ? "" : "Nothing comes out exactly right yet: give it more --steps.";
  std::vector<std::string> leading = within_chance(ways, *best, task.test.size(), share_exact, 1);
  leading.insert(leading.begin(), text(best->name, " (", in_percent(best->exact), ")"));
  return text("In short: ", list_text(leading, ", "),
              leading.size() == 1 ? " is ahead."
                                  : text(" lead; ", task.test.size(), " sentences do not tell them apart. ",
                                         sentences_alone));
}

std::vector<std::string> Report::contest_findings() const {
  std::vector<std::string> findings;
  for (const std::string& each : {scoreless_finding(), division_finding()})
    if (!each.empty()) findings.push_back(each);
  return findings;
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
  constexpr double often = 0.1;
  return text("Without the division by √", contest.width, " the scores of dot are ",
              short_text(std::sqrt(static_cast<double>(contest.width)), 2), " times as large",
              dot->sure_before < often ? "." : ": it is often sure before it knows anything.",
              " More than 95 % of its weight on the source goes to one word for ", share(dot->sure_before),
              " of the words before any training, and for ", share(dot->sure_early), " after ", dot->early,
              " steps (scaled dot: ", share(scaled->sure_before), " and ", share(scaled->sure_early),
              "). Where a weight p is near 0 or 1, the softmax lets hardly any gradient through: p·(1−p), "
              "at 0.95 less than 0.05.");
}

std::string Report::alignment_finding() const {
  const auto strongest = [](const Outcome& each) {  // in per cent
    return each.prefers ? 100 * each.match.strongest_share() : 0;
  };
  const auto best = std::max_element(
      ways.begin(), ways.end(), [&](const auto& a, const auto& b) { return strongest(a) < strongest(b); });
  if (best == ways.end() || !best->prefers) return "";
  const std::vector<std::string> near = within_chance(ways, *best, task.test.size(), strongest, 0);
  return text("Most often with ", best->name, ": before ", fixed_text(strongest(*best), 0),
              " of 100 French words, the most weight lies on an English word that the French one translates. "
              "Nobody told it which words these are.",
              near.empty() ? ""
                           : text(" As good, as far as ", task.test.size(),
                                  " sentences tell: ", list_text(near, ", "), "."));
}

std::string Report::order_finding() const {
  std::vector<std::string> blind;
  std::vector<const LengthOutcome*> others;
  for (const LengthOutcome& each : positions) {
    if (each.notices_order())
      others.push_back(&each);
    else
      blind.push_back(each.positions);
  }
  if (others.empty()) return "";
  const auto [least, most] = std::minmax_element(
      others.begin(), others.end(), [](auto* a, auto* b) { return a->order_matters < b->order_matters; });
  const auto change = [](const LengthOutcome& each) {
    return text(fixed_text(100 * each.order_matters, 0), " % (", each.positions, ")");
  };
  return text(
      "Shuffle what goes into the attention: ",
      blind.empty()
          ? "with each kind"
          : text("with “", list_text(blind, "” and “"), "”, the same comes out, shuffled. With the others"),
      " what comes out also changes, by ", change(**least), " to ", change(**most),
      " of its size. This is measured without the causal mask, which by itself tells a place how many "
      "came before it.");
}

std::string Report::length_summary() const {
  if (positions.empty()) return "";
  const std::size_t at = longest_of(lengths);
  const LengthOutcome& best = best_at(positions, at);
  const std::string share = in_percent(best.accuracies[at]), guess = in_percent(guesses[at]);
  const std::string asked = text("In short: at length ", lengths.lengths[at], ", ");
  constexpr double as_good = 5;  // in points
  std::vector<std::string> guessing;
  for (const LengthOutcome& each : positions)
    if (each.accuracies[at] < guesses[at] + as_good) guessing.push_back(each.positions);
  return asked +
         (best.accuracies[at] > guesses[at]
              ? text(best.positions, " is best, ", share, " right; a guess, ", guess,
                     guessing.empty() ? "." : ", and hardly better: " + list_text(guessing, ", ") + ".")
              : text("no kind is better than a guess, ", guess, "; the best is ", best.positions, ", ", share,
                     ": give it more --position-steps."));
}

std::string Report::length_reason() const {
  if (positions.empty()) return "";
  const std::string guess =
      "A guess is one of all the values that the name has had, without knowing which came last.";
  const std::size_t at = longest_of(lengths);
  const LengthOutcome& best = best_at(positions, at);
  if (best.positions != "alibi" || best.accuracies[at] <= guesses[at] ||
      lengths.lengths[at] <= lengths.trained_length)
    return guess;
  const Index farthest = RelativePositions(1).table.dim(1) / 2;  // the last distance with a number of its own
  return text(
      guess,
      " In longer sequences than those of training, sinusoids, learned vectors and rotations meet "
      "places or distances that they have never seen. Relative has one number for all distances from ",
      farthest, " on",
      lengths.trained_length <= farthest ? ", which training on such a length leaves as it was" : "",
      ": it cannot tell far from farther. Alibi only ever says that farther counts less, which helps "
      "at any length.");
}

std::string Report::json() const {
  Json json{{"mechanisms", json_of(way_table.json())}, {"positions", Json::array()}};
  const Json looks = json_of(look_table.json());
  for (std::size_t i = 0; i < looks.size(); ++i) json["mechanisms"][i].update(looks[i]);
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
  html.heading(2, "Ways to attend");
  html.paragraph(text(
      "One small translator, of which one part is exchanged: how a word learns from other words. All are "
      "trained on the same sentences for as many steps, and then translate ",
      task.test.size(), " that they have not seen, such as “", example.source, "”, which is “",
      example.target, "” in French. The recurrent ones are networks of their own."));
  html.heading(3, "Which way gets the most sentences right?");
  add_ranking(html, ways, task.test.size());
  if (const std::string summary = contest_summary(); !summary.empty()) html.paragraph(summary);
  if (const std::string why = scoreless_finding(); !why.empty()) html.paragraph(why);
  add_maps(html, *this);
  if (const std::string division = division_finding(); !division.empty())
    html.heading(3, text("What does the division by √", contest.width, " do?")).paragraph(division);
  html.heading(3, "Do they look at the words that they translate?");
  html.paragraph(alignment_finding());
  html.table(look_table.titles(), look_table.rows());
  html.paragraph(
      "Weight: how much of it lies on the English words that a French word translates, in the mean of all "
      "heads; top: how often one of them gets the most. The mean can be right more often than the best head: "
      "heads err at different places, and what one gives to a wrong word the others do not.");
  html.heading(3, "How do they work, and what do they cost?");
  html.table({"way to attend", "CPU time", "right", "BLEU"},
             described(figures_of(way_table, 2, 3), descriptions_of(ways)));
  html.paragraph(
      "CPU time is that of training, on all threads together. BLEU, from 0 to 100, counts the runs of words "
      "that a translation shares with the right one: chapter 13b. As formulas, for a query q and a key k of "
      "width d, the scores are vᵀ·tanh(W₁·q + W₂·k) (additive), qᵀk (dot) and qᵀk/√d (scaled dot): chapter "
      "4. The recurrent networks are GRUs: chapter 10.");

  html.heading(2, "Positions, beyond the lengths of training");
  html.paragraph(
      "Another task, in which the place decides: \"c=7 a=3 c=1 c?\" is to be answered with c=1, the last "
      "thing that c was. One round of causal attention can do it if it knows which c came last. All kinds "
      "are trained on one length, and tested on shorter and longer sequences.");
  html.heading(3, "Which kind still answers right in longer sequences?");
  html.paragraph(length_summary()).paragraph(length_reason());
  html.charts({curves_of(positions, lengths, guesses)});
  html.paragraph("In colour, the best two at the greatest length.");
  std::vector<std::string> titles{"positions"};
  for (const Index length : lengths.lengths) titles.push_back(text("length ", length));
  html.table(titles,
             described(figures_of(position_table, 3, lengths.lengths.size()), descriptions_of(positions)));
  if (const std::string order = order_finding(); !order.empty())
    html.heading(3, "Which kind notices the order?").paragraph(order);
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
