// rounds: what a second round of attention can express that one cannot.
#include <algorithm>
#include <cmath>
#include <iostream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/json.hpp>

#include <gradual/nn/positions/positions.hpp>

#include "../in_code.hpp"
#include "../mean_and_spread.hpp"
#include "../page_program.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"
#include "experiment.hpp"

using namespace gradual;

namespace {

struct Settings : PageSettings {
  Budget budget;
  Index width = 32;
};

const std::vector<std::pair<std::string, std::string>> two_steps = {
    {"step 1", "each value learns whose it is: the 7 looks at the c before it"},
    {"step 2", "the name that came again, the last c, looks for its value"}};

constexpr const char* question = "What is a second round of attention for?";
constexpr const char *any_value = "guess: any value", *commonest_value = "guess: commonest";

// What stands above the table: the task, the idea, and what columns and rows are.
std::string introduction(Index questions, const Settings& settings) {
  return lines_for_output(text(
      question,
      "\n\nThe task: names and values stand by turns, and a name keeps its value. When a name comes again, "
      "say its value:\n\n  c 7 a 3 c  →  7\n  └─┘        step 1\n    └─────┘  step 2\n\n"
      "The idea: two steps, each in a round, which is one layer of attention. A token (a name or a value) "
      "sees itself and those before it.\n",
      legend(two_steps),
      "\nModels have one round or two; their width is how many numbers stand for a token. Each learns in ",
      settings.budget.steps, " steps of ", settings.budget.batch, " sequences (seed ", settings.seed,
      "). The columns:\n",
      legend({{"right", text("of ", grouped_text(questions), " such questions, those answered right")},
              {"reads name", "step 1: a value's weight on the name before it"},
              {"finds answer", "step 2: a name's weight on the values that follow the same name"}}),
      "Weights sum to 1. A round has several heads, each a way to look; shown is the one that gives most "
      "weight.\n"));
}

// What stands below it: the rows that are no models.
std::string baselines() {
  return lines_for_output(legend({{any_value, "one of the different values so far, by chance"},
                                  {commonest_value, "the value that stands there most often"},
                                  {"even weights", "the same on all that a token sees"}}));
}

std::vector<ResultTable::Column> columns() {
  return {{"model", "", 0, "", 20},
          {"accuracy", "right", 1, " %"},
          {"to_name_1", "reads\nname", 0, " %", 6, "round 1"},
          {"to_answer_1", "finds\nanswer", 0, " %", 6, "round 1"},
          {"to_name_2", "reads\nname", 0, " %", 6, "round 2"},
          {"to_answer_2", "finds\nanswer", 0, " %", 6, "round 2"},
          {"parameters", "parameters"},
          {"cpu_seconds", "CPU\ntime", 1, " s", 5}};
}

std::vector<ResultTable::Cell> row_of(const Result& result) {
  std::vector<ResultTable::Cell> row{result.size.name(), result.curve.figure()};
  for (const Looks& round : result.rounds)
    row.insert(row.end(), {100 * round.most_to_name_before(), 100 * round.most_to_answer()});
  row.resize(columns().size() - 2);
  row.insert(row.end(), {result.parameters, result.curve.processor_seconds()});
  return row;
}

// What figures are worth: in a part of their own, those of guesses, and of looking everywhere alike.
void add_baselines(ResultTable& table, const Guesses& guesses, const Looks& even) {
  const auto row = [](const char* name, const ResultTable::Cell& right, const ResultTable::Cell& reads,
                      const ResultTable::Cell& finds) {
    return std::vector<ResultTable::Cell>{name, right, reads, finds, reads, finds, {}, {}};
  };
  table.part();
  table.add(row(any_value, guesses.alike, {}, {}));
  table.add(row(commonest_value, guesses.commonest, {}, {}));
  table.add(row("even weights", {}, 100 * even.most_to_name_before(), 100 * even.most_to_answer()));
}

// What more rounds give.
std::string result_of(const std::vector<Result>& results, const Guesses& guesses) {
  const double share = results.back().curve.figure(),
               others = std::max(results[0].curve.figure(), results[1].curve.figure());
  const double chance = chance_off(others, guesses.questions);
  constexpr double far = 20, mastered = 95;
  if (share < others + far)
    return "In short: two rounds are hardly better than one yet, though they can be. Give them more --steps.";
  return text("In short: ",
              share > mastered
                  ? "two rounds can do it, and one cannot, even of twice the width, with more parameters."
                  : "two rounds are far better than one, and could be better still.",
              others < guesses.commonest + chance
                  ? " One does no better than always saying the commonest value so far."
                  : " Twice the width does not make up for it.");
}

// Where the steps are seen in the figures of the last model; "" where its rounds do not go them yet.
std::string how_it_answers(const std::vector<Result>& results) {
  const Result& best = results.back();
  constexpr double far_from_even = 0.3;  // of a tenth or less
  const double reads = best.rounds.front().most_to_name_before(), finds = best.rounds.back().most_to_answer();
  if (reads < far_from_even || finds < far_from_even) return "";
  return text("How two do it: step 1 is seen in round 1, where a head reads names with ",
              fixed_text(100 * reads, 0),
              " % of its weight. Step 2 is seen in round 2, where one finds answers with ",
              fixed_text(100 * finds, 0), " %.");
}

// What one round lacks, and what its weights are.
std::string why_one_cannot(const std::vector<Result>& results, const Looks& even) {
  const Looks& only = results.front().rounds.front();
  const double reads = only.most_to_name_before(), even_reads = even.most_to_name_before();
  const double finds = only.most_to_answer(), even_finds = even.most_to_answer();
  constexpr double clearly = 1.5;
  return text(
      "Why one cannot: while the last c looks for its value, the 7 would only be learning whose it is, and "
      "no round follows that could find it. ",
      !how_it_answers(results).empty() && reads < clearly * even_reads
          ? text("So it does not learn this either (reads name: ", fixed_text(100 * reads, 0),
                 " %, even weights ", fixed_text(100 * even_reads, 0), " %). ")
          : "",
      finds > clearly * even_finds
          ? text("A head can look at values alone, which are half of the tokens: hence ",
                 fixed_text(100 * finds, 0), " % and not ", fixed_text(100 * even_finds, 0),
                 " % of the weight on answers. ")
          : "",
      "Sanford, Hsu and Telgarsky (2024) prove that one layer would have to grow in proportion to the length "
      "of the sequence.");
}

// "4, which stands there 3 times"
std::string with_times(std::int32_t value, const Question& question, const RecallSizes& sizes) {
  const Index times = question.times(value);
  return token_of_pairs_in_two(value, sizes) + (times == 0   ? ", which does not stand there"
                                                : times == 1 ? ", which stands there once"
                                                : times == 2
                                                    ? ", which stands there twice"
                                                    : text(", which stands there ", times, " times"));
}

// How it answers: what is said of it, and its arcs.
void add_way(Html& html, const Result& result, const Answer& answer, const Question& question,
             const RecallSizes& sizes) {
  const bool right = answer.value == question.right;
  const std::string name = token_of_pairs_in_two(question.tokens[question.tokens.size() - 1], sizes);
  Html way;
  way.heading(
      3, text(result.size.name(), ": ", token_of_pairs_in_two(answer.value, sizes), right ? " ✓" : " ✗"));
  way.paragraph(result.size.rounds == 1
                    ? text("When its only round looks, no value knows yet which name it follows: a ",
                           token_of_pairs_in_two(question.right, sizes), " is a ",
                           token_of_pairs_in_two(question.right, sizes),
                           ", whosever it is. So it cannot pick the one that belongs to the ", name,
                           ". It says ", with_times(answer.value, question, sizes),
                           ". The arcs are the mean of its heads.")
                    : text("Begin at the ", name,
                           " at the end. Above: where it looks in round 2. Below: where the values that it "
                           "looks at had looked in round 1, in one head each. The thicker, the more.",
                           right ? "" : " Here the way does not lead to the right value."));
  html.beside(way, "<div class=\"wide\">" + answer.hops + "</div><div class=\"narrow\">" +
                       answer.narrow_hops + "</div>");
}

Html heads_of(const Answer& answer, bool one_round) {
  Html html;
  html.paragraph(
      text("Each row is a place, each column a token that it may look at: itself, and those before it. "
           "Framed are the cells of the arcs, ",
           one_round ? "in orange. What a value learns of the name before it comes too late: no round "
                       "follows that could ask for it."
                     : "in the colours of their rounds."));
  return html.pictures(answer.maps);
}

// The sequence that is looked at, and what each model says to it; returned is what all heads look at.
std::vector<Html::Choice> add_question(Html& html, const std::vector<Result>& results,
                                       const Settings& settings) {
  const RecallSizes& sizes = settings.budget.sizes;
  const Question question = telling_question(results, settings.budget);
  std::vector<std::string> tokens;
  for (const std::int32_t token : question.tokens) tokens.push_back(token_of_pairs_in_two(token, sizes));
  const std::int32_t commonest = question.commonest(sizes.names);
  html.paragraph("A sequence that no model was trained on:").paragraph(list_text(tokens, " ") + " ?");
  html.paragraph(text("Right is ", with_times(question.right, question, sizes), ".",
                      commonest == question.right
                          ? ""
                          : text(" It was chosen so that the commonest value is wrong: ",
                                 with_times(commonest, question, sizes), ".")));
  std::vector<Html::Choice> heads;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> marks;
  Html ways;
  for (auto each = results.rbegin(); each != results.rend(); ++each) {  // the one that can do it first
    const Answer answer = answer_to(question, *each, settings.budget);
    if (each->size.width == settings.width) add_way(ways, *each, answer, question, sizes);
    heads.push_back({each->size.name(), heads_of(answer, each->size.rounds == 1)});
    rows.push_back(
        {each->size.name(), token_of_pairs_in_two(answer.value, sizes), fixed_text(answer.probability, 2)});
    marks.push_back(answer.value == question.right);
  }
  html.table({"model", "answers", "probability"}, rows, marks).markup(ways.str());
  return heads;
}

// The best first, as everywhere on the page.
ResultTable table_of_answers(const std::vector<Result>& results, const Guesses& guesses) {
  ResultTable table({{"model", ""}, {"accuracy", "right", 1, " %"}, {"parameters", "parameters"}});
  for (auto each = results.rbegin(); each != results.rend(); ++each)
    table.add({each->size.name(), each->curve.figure(), each->parameters});
  return table.add({any_value, guesses.alike, {}}).add({commonest_value, guesses.commonest, {}});
}

ResultTable table_of_looks(const std::vector<Result>& results, const Looks& even) {
  ResultTable table(
      {{"round", ""}, {"to_name", "reads name", 0, " %"}, {"to_answer", "finds answer", 0, " %"}});
  const auto add = [&](const std::string& name, const Looks& looks) {
    table.add({name, 100 * looks.most_to_name_before(), 100 * looks.most_to_answer()});
  };
  for (auto each = results.rbegin(); each != results.rend(); ++each)
    for (std::size_t r = 0; r < each->rounds.size(); ++r)
      add(each->size.name() + (each->rounds.size() == 1 ? "" : text(": round ", r + 1)), each->rounds[r]);
  add("even weights", even);
  return table;
}

std::string page(const std::vector<Result>& results, const Guesses& guesses, const Looks& even,
                 const Settings& settings) {
  Html html;
  LineChart curves{"Answers that are right (%)", "training step", {}};
  curves.from_zero = curves.names_at_ends = true;
  for (const Result& result : results) {
    curves.series.push_back(result.curve.figures(result.size.name()));
    curves.series.back().faint = result.size.rounds == 1;
  }
  const std::vector<double> steps = curves.series.front().x;
  curves.series.push_back(
      {commonest_value, {steps.front(), steps.back()}, {guesses.commonest, guesses.commonest}, true});
  html.paragraph(
      "Names and values stand by turns, and a name keeps its value: after \"c 7 a 3 c\" comes 7. That takes "
      "two steps:");
  html.terms(two_steps);
  html.paragraph(
      "A round, which is a layer of attention, can take one of them; in it a token (a name or a value) sees "
      "itself and those before it. Models have one round or two; their width is how many numbers stand for a "
      "token.");
  html.paragraph(result_of(results, guesses));
  html.heading(2, "How a question is answered");
  const std::vector<Html::Choice> heads = add_question(html, results, settings);
  html.heading(2, "What the rounds have learnt");
  const ResultTable answers = table_of_answers(results, guesses), looks = table_of_looks(results, even);
  html.paragraph(text("How many of ", grouped_text(static_cast<Index>(guesses.questions)),
                      " questions are answered right. Below the models stand two guesses: one of the "
                      "different values shown so far, by chance, and the commonest of them."));
  html.table(answers.titles(), answers.rows()).charts({curves});
  html.paragraph(
      "Which round takes which of the two steps? Step 1 is \"reads name\", a value's weight on the name "
      "before it. Step 2 is \"finds answer\", a name's weight on the values that follow the same name. A "
      "round may look in several ways at once, called heads; weights are those of the head that gives most. "
      "Even weights are the same on all that a token may look at.");
  html.table(looks.titles(), looks.rows()).paragraph(why_one_cannot(results, even));
  html.heading(2, "Every head of every round").choices("Model", heads);
  add_places_in_code(html, "rounds",
                     {{"nn/data/recall.cpp", "the task"},
                      {"nn/transformer/language_model.cpp", "the model, whose layers are the rounds"},
                      {"examples/rounds/experiment.cpp", "how it is trained and tested"}});
  return html_page(question,
                   text(settings.budget.steps, " training steps of ", settings.budget.batch,
                        " new sequences each, seed ", settings.seed),
                   html);
}

Json to_json(const std::vector<Result>& results, double guessing) {
  Json json{{"guessing", guessing}, {"models", Json::array()}};
  const auto shares = [](const Result& result, double (Looks::*most)() const) {
    std::vector<double> each;
    for (const Looks& round : result.rounds) each.push_back((round.*most)());
    return each;
  };
  for (const Result& result : results)
    json["models"].push_back({{"rounds", result.size.rounds},
                              {"width", result.size.width},
                              {"parameters", result.parameters},
                              {"cpu_seconds", result.curve.processor_seconds()},
                              {"accuracy", result.curve.figure()},
                              {"to_name_before", shares(result, &Looks::most_to_name_before)},
                              {"to_answer", shares(result, &Looks::most_to_answer)}});
  return json;
}

void run(Settings& settings) {
  settings.budget.seed = settings.seed;
  settings.budget.quiet = settings.json;
  make_folder(settings.out);
  const Guesses guesses = guess(settings.budget);
  ResultTable table(columns());
  table.within(static_cast<std::size_t>(output_columns()));
  std::vector<Result> results;
  const Size sizes[] = {{1, settings.width}, {1, 2 * settings.width}, {2, settings.width}};
  for (const Size& size : sizes) check(size, settings.budget);  // no words above an error
  say_task(settings, introduction(static_cast<Index>(guesses.questions), settings));
  for (const Size& size : sizes) {
    results.push_back(run_experiment(size, settings.budget));
    table.add(row_of(results.back()));
  }
  const Looks even = even_looks(settings.budget);
  add_baselines(table, guesses, even);
  if (!settings.json)
    std::cout << table.lines() << "\n"
              << baselines() << "\n";  // at once, for bars would stand between its rows
  say_paragraphs(settings,
                 {result_of(results, guesses), how_it_answers(results), why_one_cannot(results, even)});
  if (settings.json) std::cout << json_text(to_json(results, guesses.alike)) << std::endl;
  leave_page(settings, page(results, guesses, even, settings));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Budget& budget = settings.budget;
  PageProgram program(
      "rounds", "Trains models with one and two rounds of attention to say which value belongs to a name.",
      settings);
  const Options& add = program.options;
  add.positive("steps", budget.steps, "training steps");
  add.positive("batch", budget.batch, "sequences in a step");
  add.positive("pairs", budget.pairs, "names with their values in a sequence");
  add.between("names", budget.sizes.names, Index(1), Index(26), "different names");
  add.positive("values", budget.sizes.values, "different values");
  add.positive("width", settings.width, "width of the smaller models");
  add.positive("heads", budget.heads, "heads of a round");
  add.positive("learning-rate", budget.learning_rate, "its peak");
  add.choice("positions", budget.positions, "how the order enters", position_kinds().names());
  return program.run(argc, argv, "of weights and sequences", [&] { run(settings); });
}
