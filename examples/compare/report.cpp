#include "report.hpp"

#include <algorithm>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/json.hpp>

#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"
#include "../terminal/plot.hpp"
#include "outcomes.hpp"

using namespace gradual;

namespace {

std::vector<ResultTable::Column> way_columns() {
  return {{"name", "way to attend", 0, "", 19},
          {"exact", "exactly right", 1, " %"},
          {"bleu", "BLEU", 1},
          {"parameters", "parameters"},
          {"cpu_seconds", "CPU time", 1, " s"}};
}

std::vector<ResultTable::Column> look_columns() {
  return {{"name", "way to attend"},
          {"weight", "on right words", 0, " %"},
          {"strongest", "top word, all heads", 0, " %"},
          {"strongest_of_best_head", "top word, best head", 0, " %"}};
}

}  // namespace

std::vector<double> weights_of(const std::vector<Real>& scores) {
  const Tensor weights = softmax(Var(Tensor({static_cast<Index>(scores.size())}, scores))).value();
  return {weights.begin(), weights.end()};
}

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

std::string Report::task_in_words() const {
  return text(number_of_ways(settings), " small translators learn from ",
              grouped_text(static_cast<Index>(task.train.size())), " pairs, in ",
              grouped_text(settings.steps), " steps of at most ", grouped_text(settings.batch_tokens),
              " words, and then translate ", task.test.size(),
              " other sentences; right is what equals the expected one word for word.");
}

std::string softmax_of_0_1_2() {
  std::vector<std::string> weights;
  for (const double weight : weights_of({0, 1, 2})) weights.push_back(fixed_text(weight, 2));
  return and_text(weights);
}

std::string Report::attending() const {
  return text("All but the recurrent ones are small transformers. Inside them a word is a list of ",
              settings.width,
              " numbers, which also say where it stands. To attend, a word gives each word that it may look "
              "at a score s, and softmax, eˢ/Σeˢ, makes of the scores weights that sum to 1: of 0, 1 and 2 "
              "it makes ",
              softmax_of_0_1_2(),
              ". Each of these words' lists is multiplied by a learnt matrix and then by its weight, and "
              "their sum is what the word takes in.");
}

NamesAndMeanings Report::ways_in_words() const {
  return {{"equal weights", "no scores: all words that it may look at count alike"},
          {"dot",
           "score: two lists' numbers, multiplied one by one and summed; each list first times a learnt "
           "matrix"},
          {"scaled dot", text("the score of dot, divided by √", settings.width)},
          {"additive", "score: a small network takes both lists"},
          {"multi-head",
           text("scaled dot ", settings.heads, " times at once, with ", settings.width / settings.heads,
                " numbers each (√", settings.width / settings.heads, "), as in transformers")},
          {"local window",
           text("multi-head, seeing ", settings.window, " words on each side in its sentence (in French the ",
                settings.window, " before it)")},
          {"recurrent", "no attention: word by word; one list holds all of the English sentence"},
          {"recurrent, additive", "recurrent, and it looks back at the English words with additive scores"}};
}

std::string Report::head() const {
  const SentencePair& first = task.test.front().pair;
  return lines_for_output(text("Which way to attend translates best?\n\n", task_in_words(),
                               " The first of them:\n\n  ", first.source, "\n  → ", first.target, "\n\n",
                               attending(),
                               " English words look at English ones, French words at themselves and those "
                               "before, and French words at English ones.\n\nThe ways:\n\n",
                               legend(ways_in_words())));
}

std::string Report::lines() const {
  constexpr int page = 80, figures = 49;  // columns of a line, and of it before the bars
  const int room = output_columns(), longest_bar = (room > 0 ? std::min(room, page) : page) - figures;
  std::vector<ResultTable::Column> columns{
      {"name", "", 0, "", 19}, {"cpu_seconds", "CPU time", 1, " s"}, {"exact", "exactly right", 1, " %"}};
  const bool drawn = longest_bar >= 10;
  if (drawn) columns.push_back({"bar", "", 0, "", static_cast<std::size_t>(longest_bar), "", true});
  ResultTable short_one(columns);
  short_one.within(static_cast<std::size_t>(room));
  for (const Outcome* way : ranked(ways)) {
    std::vector<ResultTable::Cell> row{way->name, way->cpu_seconds, way->exact};
    if (drawn) row.emplace_back(terminal_bar(way->exact / 100, longest_bar));
    short_one.add(row);
  }
  return short_one.lines();
}

Example Report::example() const {
  const std::size_t sentence = telling_sentence();
  const SentencePair& pair = task.test[sentence].pair;
  Example found{pair.source, "", "✓ " + pair.target, {}};
  Index right = 0;
  for (const Outcome& way : ways) {
    if (sentence >= way.judged.size()) continue;
    const Judged& judged = way.judged[sentence];
    if (judged.right())
      ++right;
    else
      found.wrong.emplace_back(way.name, "✗ " + judged.translation);
  }
  found.count = text(right, " of ", ways.size());
  return found;
}

std::string Report::example_lines() const {
  const Example found = example();
  return lines_for_output(text("From “", found.source, "” ", found.count, " make what is right:\n\n  ",
                               found.right, "\n",
                               found.wrong.empty() ? "" : "\nThe others make:\n\n" + legend(found.wrong)));
}

const Judged* Report::first_mistake_of_best() const {
  const Outcome* const best = most_exact(ways);
  if (best == nullptr) return nullptr;
  const auto wrong = std::find_if(best->judged.begin(), best->judged.end(),
                                  [](const Judged& each) { return !each.right(); });
  return wrong == best->judged.end() ? nullptr : &*wrong;
}

std::string Report::mistake_lines() const {
  const Judged* const wrong = first_mistake_of_best();
  if (wrong == nullptr) return "";
  return lines_for_output(text("The best one errs, too, first on “", wrong->source, "”:\n\n  ✗ ",
                               wrong->translation, "\n  right: ", wrong->references.front(), "\n"));
}

std::string Report::json() const {
  Json json = json_of(table.json());
  const Json looks = json_of(look_table.json());
  for (std::size_t i = 0; i < looks.size(); ++i) json[i].update(looks[i]);
  return json_text(json);
}
