#include "report.hpp"

#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/json.hpp>

#include "../in_code.hpp"
#include "../mean_and_spread.hpp"
#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"

using namespace gradual;

namespace {

// What a word does to attend.
const std::vector<std::pair<std::string, std::string>> steps_of_attention = {
    {"1. score", "it gives each word that it may look at a number"},
    {"2. softmax", "it turns these into weights that sum to 1: 2, 1, 0 into 0.67, 0.24, 0.09"},
    {"3. mean", "it takes the mean of those words by the weights"}};
constexpr const char* what_differs =
    "Inside a translator a word is a list of numbers, as many as its width. Two translators are recurrent: "
    "they read and write word by word. The others are one network, and differ only in how a word attends, "
    "which takes three steps:";
constexpr const char* what_a_head_is = "These three are a head: one way to look.";
constexpr const char* who_looks =
    "English words look at English ones; a French word, before it is said, at all English ones and the "
    "French ones before it.";

std::vector<ResultTable::Column> way_columns() {
  return {{"name", "way to attend", 0, "", 19},
          {"exact", "exactly right", 1, " %"},
          {"bleu", "BLEU", 1},
          {"parameters", "parameters"},
          {"cpu_seconds", "CPU time", 1, " s"}};
}

std::vector<ResultTable::Column> look_columns() {
  return {{"name", "way to attend"},
          {"weight", "weight on translated words", 0, " %"},
          {"strongest", "top word is right, mean of heads", 0, " %"},
          {"strongest_of_best_head", "top word is right, best head", 0, " %"}};
}

using NamesAndMeanings = std::vector<std::pair<std::string, std::string>>;

// The ways of each group with what they do.
std::vector<std::pair<std::string, NamesAndMeanings>> ways_by_group(const ContestSettings& settings) {
  std::vector<std::pair<std::string, NamesAndMeanings>> groups;
  for (const Way& each : ways_to_attend(settings)) {
    if (groups.empty() || groups.back().first != each.group)
      groups.emplace_back(each.group, NamesAndMeanings());
    groups.back().second.emplace_back(each.name, each.description);
  }
  return groups;
}

// The others whose share, in per cent of all sentences, is within chance of the best one's.
template <class Share>
std::vector<std::string> within_chance(const std::vector<Outcome>& ways, const Outcome& best,
                                       std::size_t sentences, Share share, int decimals) {
  std::vector<std::string> near;
  for (const Outcome& each : ways) {
    if (&each != &best && may_be_chance(share(best), share(each), static_cast<double>(sentences)))
      near.push_back(text(each.name, " (", percent_text(share(each) / 100, decimals), ")"));
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

const Outcome* find(const std::vector<Outcome>& ways, const std::string& name) {
  const auto found =
      std::find_if(ways.begin(), ways.end(), [&](const Outcome& each) { return each.name == name; });
  return found == ways.end() ? nullptr : &*found;
}

// The ways whose maps are seen at once: what gets the most right and what is within chance of it, if any
// does, and what the division changes.
std::vector<std::string> seen_at_once(const std::vector<Outcome>& ways, std::size_t sentences) {
  std::vector<std::string> names;
  const Outcome* const best = most_exact(ways);
  for (const Outcome& each : ways)
    if (best != nullptr && each.name != "scaled dot" && each.name != "dot" &&
        (&each == best || may_be_chance(best->exact, each.exact, static_cast<double>(sentences))))
      names.push_back(each.name);
  names.insert(names.end(), {"scaled dot", "dot"});
  return names;
}

// Whether a way gets fewer of so many sentences right than another, by more than chance.
bool is_behind(const Outcome& way, const Outcome& other, std::size_t sentences) {
  return way.exact < other.exact && !may_be_chance(way.exact, other.exact, static_cast<double>(sentences));
}

// Whether the weights of a way are often sure before any training.
bool is_sure_early(const Outcome& way) {
  constexpr double often = 0.1;
  return way.sure_before >= often;
}

void add_maps(Html& html, const Report& report) {
  const std::vector<std::string> first = seen_at_once(report.ways, report.task.test.size());
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
  html.paragraph(
      "The first map shows which words translate each other, as the corpus knows; the models were never "
      "told. The more a map is like it, the more its model looks at the words that it translates.");
  html.paragraph(
      "Each row is a French word that is about to be said, each column an English word; ⏎ is the end of a "
      "sentence, which translates no word. Of several heads, the one that is closest to the first map is "
      "shown; the others may look at what it leaves out. “recurrent” has no map, as it has no attention. A "
      "local window narrows what a word sees of its own sentence, and not what it sees of the other one.");
  if (const auto dots = report.dots();
      !dots.empty() && is_sure_early(*dots[0]) && dots[0]->exact < dots[1]->exact)
    html.paragraph(
        "Dot is sure of wrong words: its map is dark where the first one is not. Why, comes next.");
  html.choices("Sentence", sentences);
}

// Who gets the telling sentence right, and what the others make of it.
struct Example {
  std::string source, count, right;  // the count is that of the ways: "5 of 8"
  NamesAndMeanings wrong;
};

Example example_of(const Report& report) {
  const std::size_t sentence = report.telling_sentence();
  const SentencePair& pair = report.task.test[sentence].pair;
  Example example{pair.source, "", "✓ " + pair.target, {}};
  Index right = 0;
  for (const Outcome& way : report.ways) {
    if (sentence >= way.judged.size()) continue;
    const Judged& judged = way.judged[sentence];
    if (judged.right())
      ++right;
    else
      example.wrong.emplace_back(way.name, "✗ " + judged.translation);
  }
  example.count = text(right, " of ", report.ways.size());
  return example;
}

}  // namespace

Report::Report(const Task& of_task, const ContestSettings& of_contest)
    : task(of_task), settings(of_contest), table(way_columns()), look_table(look_columns()) {}

void Report::add(const Outcome& way) {
  ways.push_back(way);
  const auto shown_if = [](bool shown, double share) { return shown ? 100 * share : ResultTable::Cell(); };
  table.add({way.name, way.exact, way.bleu, way.parameters, way.cpu_seconds});
  look_table.add({way.name, shown_if(way.attends, way.match.mean_weight()),
                  shown_if(way.prefers, way.match.strongest_share()),
                  shown_if(way.prefers, way.best.strongest_share())});
}

std::string Report::lines() const {
  ResultTable short_one({{"name", "", 0, "", 19},
                         {"exact", "exactly right", 1, " %"},
                         {"cpu_seconds", "CPU time", 1, " s", 9}});
  short_one.within(static_cast<std::size_t>(output_columns()));
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (i == 0 || ways[i].group != ways[i - 1].group) short_one.part(ways[i].group);
    short_one.add({ways[i].name, ways[i].exact, ways[i].cpu_seconds});
  }
  return short_one.lines();
}

std::string Report::head() const {
  const SentencePair& example = task.test.front().pair;
  std::string ways_and_meanings;
  constexpr std::size_t longest_name = 19;  // so that meanings of all groups stand below each other
  for (auto [group, its_ways] : ways_by_group(settings)) {
    for (auto& [name, meaning] : its_ways) name = left_in(longest_name, name);
    ways_and_meanings += group + ":\n" + legend(its_ways);
  }
  return lines_for_output(text("Which way to attend translates best?\n\n", ways_to_attend(settings).size(),
                               " small translators learn from ",
                               grouped_text(static_cast<Index>(task.train.size())), " pairs in ",
                               settings.steps, " steps and then translate ", task.test.size(),
                               " others, such as\n\n  ", example.source, "\n  → ", example.target, "\n\n",
                               what_differs, "\n\n", legend(steps_of_attention), "\n", what_a_head_is, "\n\n",
                               ways_and_meanings, "\nExactly right is what is word for word as expected.\n"));
}

std::string Report::summary() const {
  const Outcome* const best = most_exact(ways);
  if (best == nullptr)
    return ways.empty() ? "" : "Nothing comes out exactly right yet: give it more --steps.";
  std::vector<std::string> leading = within_chance(ways, *best, task.test.size(), share_exact, 1);
  leading.insert(leading.begin(), text(best->name, " (", percent_text(best->exact / 100), ")"));
  return text("In short: ", list_text(leading, ", "),
              leading.size() == 1
                  ? " is ahead."
                  : text(" lead. ", task.test.size(),
                         " sentences do not tell them apart, and another seed may order them anew."));
}

std::string Report::scoreless_finding() const {
  const Outcome *best = most_exact(ways), *mean = find(ways, "equal weights"),
                *recurrent = find(ways, "recurrent"), *looking = find(ways, "recurrent, additive");
  constexpr double far_behind = 20;  // in points; with some hundred sentences this is no chance
  std::vector<std::string> reasons;
  if (recurrent != nullptr && looking != nullptr && recurrent->exact < looking->exact - far_behind)
    reasons.push_back(
        text("The recurrent network needs to look back. Without attention one list of numbers has to hold "
             "the whole sentence: ",
             percent_text(recurrent->exact / 100), " are right after ", settings.steps, " steps. With it, ",
             percent_text(looking->exact / 100), "."));
  if (best != nullptr && mean != nullptr && mean->exact < best->exact - far_behind)
    reasons.push_back(text(
        "The others need to choose: with equal weights, all words see the same blur of the sentence, and ",
        percent_text(mean->exact / 100), " are right."));
  return list_text(reasons);
}

std::string Report::heads_finding() const {
  const Outcome *several = find(ways, "multi-head"), *one = find(ways, "scaled dot");
  if (several == nullptr || one == nullptr || !is_behind(*one, *several, task.test.size())) return "";
  return text("Several heads seem to help scaled dot: ", settings.heads, " that share the width get ",
              percent_text(several->exact / 100), " right, one ", percent_text(one->exact / 100),
              ". Each has a softmax of its own, and so can look elsewhere.");
}

std::string Report::window_finding() const {
  const Outcome *window = find(ways, "local window"), *whole = find(ways, "multi-head");
  if (window == nullptr || whole == nullptr || window->exact == 0 ||
      is_behind(*window, *whole, task.test.size()))
    return "";
  return "The local window loses nothing by seeing less: what matters to a word within its sentence stands "
         "near it here.";
}

std::vector<const Outcome*> Report::dots() const {
  const Outcome *dot = find(ways, "dot"), *scaled = find(ways, "scaled dot");
  if (most_exact(ways) == nullptr || dot == nullptr || scaled == nullptr) return {};
  return {dot, scaled};
}

std::string Report::division_finding() const {
  if (dots().empty()) return "";
  const Outcome &dot = *dots()[0], &scaled = *dots()[1];
  const bool sure = is_sure_early(dot), behind = is_behind(dot, scaled, task.test.size());
  return text("Without the division by √", settings.width, ", the scores of dot are ",
              short_text(std::sqrt(static_cast<double>(settings.width)), 2), " times as large",
              sure ? ", and it is often sure before it knows anything: before" : ". Before",
              " any training, ", percent_text(dot.sure_before, 0),
              " of the words give more than 95 % of their weight to one word of the source (scaled dot: ",
              percent_text(scaled.sure_before, 0), ").",
              sure && behind ? text(" What is sure hardly learns, for the softmax is flat there: to change a "
                                    "score a little changes nothing. And ",
                                    settings.steps, " steps are too few for it.")
                             : "");
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

std::size_t Report::telling_sentence() const {
  double mean = 0;
  for (const Outcome& way : ways) mean += way.exact / static_cast<double>(ways.size());
  const auto agreement = [&](std::size_t sentence) {
    double sum = 0;
    for (const Outcome& way : ways)
      if (sentence < way.judged.size())
        sum += way.judged[sentence].right() ? way.exact - mean : mean - way.exact;
    return sum;
  };
  std::size_t best = 0;
  double most = agreement(best);
  for (std::size_t i = 1; i < task.test.size(); ++i) {
    const double its = agreement(i);
    if (its > most) best = i;
    most = std::max(most, its);
  }
  return best;
}

std::string Report::example_lines() const {
  const Example example = example_of(*this);
  return lines_for_output(
      text("From “", example.source, "” ", example.count, " make what is right:\n\n  ", example.right, "\n",
           example.wrong.empty() ? "" : "\nThe others make:\n\n" + legend(example.wrong)));
}

std::string Report::json() const {
  Json json = json_of(table.json());
  const Json looks = json_of(look_table.json());
  for (std::size_t i = 0; i < looks.size(); ++i) json[i].update(looks[i]);
  return json_text(json);
}

std::string Report::page() const {
  Html html;
  const SentencePair& example = task.test.front().pair;
  if (const std::string short_of_it = summary(); !short_of_it.empty()) html.paragraph(short_of_it);
  html.heading(2, "The task, and the ways");
  html.paragraph(text("“", example.source, "” is “", example.target,
                      "” in French. A small translator learns it from ",
                      grouped_text(static_cast<Index>(task.train.size())), " pairs in ", settings.steps,
                      " steps, each time with another way to attend."));
  html.paragraph(what_differs).terms(steps_of_attention);
  html.paragraph(text(what_a_head_is, " ", who_looks));
  for (const auto& [group, its_ways] : ways_by_group(settings)) html.heading(3, group).terms(its_ways);
  html.heading(2, "Which way gets the most sentences right?");
  add_ranking(html, ways, task.test.size());
  for (const std::string& each : {scoreless_finding(), heads_finding(), window_finding()})
    if (!each.empty()) html.paragraph(each);
  const Example example_said = example_of(*this);
  NamesAndMeanings said{{example_said.count, example_said.right}};
  said.insert(said.end(), example_said.wrong.begin(), example_said.wrong.end());
  html.paragraph("From “" + example_said.source + "” they make:").terms(said);
  html.heading(2, "What does each look at?");
  add_maps(html, *this);
  if (!dots().empty()) {
    html.heading(2, text("What does the division by √", settings.width, " do?"))
        .paragraph(division_finding())
        .paragraph(
            "What a training step changes at a score grows with p·(1−p), the slope of the softmax, where p "
            "is the weight: that is 0.25 where p is 0.5, and less than 0.05 where it is above 0.95.");
    std::vector<std::vector<std::string>> rows;
    for (const Outcome* each : dots())
      rows.push_back({each->name, percent_text(each->sure_before, 0), percent_text(each->sure_early, 0)});
    html.paragraph("Words that give more than 95 % of their weight to one word of the source:");
    html.table({"way to attend", "before training",
                text("after ", dots()[0]->early, " of ", settings.steps, " steps")},
               rows);
  }
  html.heading(2, "Do they look at the words that they translate?");
  html.paragraph(alignment_finding());
  html.paragraph(
      "The mean of all heads can be right more often than the best head: heads err at different places, and "
      "what one gives to a wrong word the others do not.");
  html.table(look_table.titles(), look_table.rows());
  html.heading(2, "The scores as formulas");
  html.paragraph(
      "Where q is the word that looks (its query) and k one that it may look at (its key), each of d "
      "numbers:");
  html.terms({{"additive", "vᵀ·tanh(W₁·q + W₂·k), where v, W₁ and W₂ are learnt"},
              {"dot", "qᵀk"},
              {"scaled dot", "qᵀk/√d"}});
  html.paragraph(
      "Chapter 4 of the book (docs/chapters) has more of them, and chapter 10 has the recurrent networks, "
      "which are GRUs.");
  html.heading(2, "All figures, and what they cost");
  html.paragraph(
      "BLEU, from 0 to 100, counts the runs of words that a translation shares with the expected one "
      "(chapter 13b of the book). CPU time is that of training, on all threads together.");
  html.table(table.titles(), table.rows());
  html.heading(2, "Settings")
      .key_values({{"sentence pairs", grouped_text(static_cast<Index>(task.train.size()))},
                   {"held-out sentences", text(task.test.size())},
                   {"steps", text(settings.steps)},
                   {"tokens in a batch", text(settings.batch_tokens)},
                   {"width", text(settings.width)},
                   {"heads", text(settings.heads)},
                   {"layers", text(settings.layers)},
                   {"window", text(settings.window)},
                   {"learning rate", short_text(settings.learning_rate, 3)},
                   {"seed", text(settings.seed)}});
  add_places_in_code(html, "compare",
                     {{"nn/attention/scores/", "the scores, a file each"},
                      {"nn/attention/multi_head.cpp", "attention with several heads"},
                      {"examples/compare/contest.cpp", "the ways, and how they are trained and tested"}});
  return html_page("Ways to attend, side by side",
                   text("from English to French, ", grouped_text(static_cast<Index>(task.train.size())),
                        " sentence pairs; one budget of ", settings.steps,
                        " steps, and every model starts from the same seed"),
                   html);
}
