#include <algorithm>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

#include "../in_code.hpp"
#include "report.hpp"

using namespace gradual;

namespace {

// "4, which stands there 3 times"
std::string with_times(std::int32_t value, const Question& asked, const RecallSizes& sizes) {
  const Index times = asked.times(value);
  return token_of_pairs_in_two(value, sizes) + (times == 0   ? ", which does not stand there"
                                                : times == 1 ? ", which stands there once"
                                                : times == 2
                                                    ? ", which stands there twice"
                                                    : text(", which stands there ", times, " times"));
}

std::string last_name(const Question& asked, const RecallSizes& sizes) {
  return token_of_pairs_in_two(asked.tokens[asked.tokens.size() - 1], sizes);
}

// How it answers: what is said of it, and its arcs.
void add_way(Html& html, const Result& result, const Answer& answer, const Question& asked,
             const RecallSizes& sizes) {
  const bool right = answer.value == asked.right;
  const std::string name = last_name(asked, sizes), value = token_of_pairs_in_two(asked.right, sizes);
  html.heading(
      3, text(result.size.name(), ": ", token_of_pairs_in_two(answer.value, sizes), right ? " ✓" : " ✗"));
  html.paragraph(result.size.rounds == 1
                     ? text("When its only round looks, no value knows yet which name it follows: a ", value,
                            " is a ", value,
                            ", whichever name it belongs to. So it cannot pick the one that belongs to the ",
                            name, ". It says ", with_times(answer.value, asked, sizes), ".")
                     : text("Begin at the ", name,
                            " at the end. Above: where it looks in round 2. Below: where the values that it "
                            "looks at had looked in round 1.",
                            right ? "" : " Here the way does not lead to the right value."));
  html.picture("<div class=\"wide\">" + answer.hops + "</div><div class=\"narrow\">" + answer.narrow_hops +
               "</div>");
}

// Why a model says something else than what a name looks at most; "" where it does not.
std::string why_another(const Answer& answer, const Question& asked, const RecallSizes& sizes) {
  if (asked.tokens[answer.strongest.to] == answer.value) return "";
  const std::string said = token_of_pairs_in_two(answer.value, sizes);
  return text(" Yet the model says ", said, ": ",
              answer.on_value > answer.on_strongest
                  ? text("all ", said, "s together get ", fixed_text(answer.on_value, 2), ".")
                  : "one cell does not decide. Heads are summed up, and a network works on the sum.");
}

// What all heads of a model look at, and how to read it.
Html heads_of(const Answer& answer, const Result& result, const Question& asked, const RecallSizes& sizes,
              bool framed) {
  const bool one_round = result.size.rounds == 1;
  const Hop& most = answer.strongest;
  Html html;
  html.paragraph(
      text("Each row is a token that looks, each column one that it may look at: itself, and those before "
           "it. The weights of a row sum to 1. The last row, “",
           last_name(asked, sizes), "?”, is the question.",
           most.weight == 0 ? ""
                            : text(" An example: in round ", result.rounds.size(), ", head ", most.head + 1,
                                   ", the darkest cell of this row stands below a ",
                                   token_of_pairs_in_two(asked.tokens[most.to], sizes), ": the ",
                                   last_name(asked, sizes), " gives it ", fixed_text(most.weight, 2),
                                   " of its weight.", why_another(answer, asked, sizes))));
  html.paragraph(text(
      framed ? text("Framed are the cells of the arcs, ",
                    one_round ? "in orange" : "in the colours of their rounds",
                    ", and only in the head that gives most to a single token. ")
             : "",
      answer.has_names_of_heads
          ? "A head is called “reads name” or “finds answer” where that takes more than half of its weight, "
            "on average over the sequences of the test."
          : "No head is called “reads name” or “finds answer”, for in none does that take more than half of "
            "the weight.",
      one_round ? " What a value learns of the name before it comes too late: no round follows that could "
                  "ask for it."
                : ""));
  return html.markup("<div style=\"margin-inline:var(--inset)\">").pictures(answer.maps).markup("</div>\n");
}

// The two steps, as arcs from the c that asks.
std::string two_steps_drawn() {
  constexpr Index tokens = 5, name = 0, value = 1, asked = 4;
  const auto looks = [](Index from, Index to) {
    Tensor weights({1, 1, tokens, tokens});
    weights.unguarded_data()[from * tokens + to] = 1;
    return RecordedAttention{"", weights};
  };
  return draw_hops({looks(value, name), looks(asked, value)},
                   {"step 1: the 7 reads its c", "step 2: the last c finds the 7"}, {"c", "7", "a", "3", "c"},
                   asked, 70);
}

// The sequence that is looked at, and what each model says to it; returned is what all heads look at.
std::vector<Html::Choice> add_question(Html& html, const Question& asked, const std::vector<Result>& models,
                                       const Settings& settings) {
  const RecallSizes& sizes = settings.budget.sizes;
  std::vector<std::string> tokens;
  for (const std::int32_t token : asked.tokens) tokens.push_back(token_of_pairs_in_two(token, sizes));
  const std::int32_t commonest = asked.commonest(sizes.names);
  html.paragraph("A sequence that no model was trained on:")
      .markup("<p style=\"font:18px ui-monospace,monospace\">" + list_text(tokens, " ") + " ?</p>\n");
  html.paragraph(text("Right is ", with_times(asked.right, asked, sizes), ".",
                      commonest == asked.right ? ""
                                               : text(" It was chosen so that the commonest value is wrong: ",
                                                      with_times(commonest, asked, sizes), ".")));
  std::vector<Html::Choice> heads;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> marks;
  Html ways;
  for (const Result& each : models) {
    const bool has_arcs = each.size.width == settings.width;
    const Answer answer = answer_to(asked, each, settings.budget, has_arcs);
    if (has_arcs) add_way(ways, each, answer, asked, sizes);
    heads.push_back({each.size.name(), heads_of(answer, each, asked, sizes, has_arcs)});
    rows.push_back(
        {each.size.name(), token_of_pairs_in_two(answer.value, sizes), fixed_text(answer.probability, 2)});
    marks.push_back(answer.value == asked.right);
  }
  html.table({"model", "answers", "probability of its answer"}, rows, marks);
  html.paragraph(
      text("Arcs show where tokens look, each in the head that gives most to a single one. The "
           "thicker, the more; weights below ",
           fixed_text(faintest_hop, 1), " are left out."));
  html.markup(ways.str());
  return heads;
}

// How right answers and the two steps come with training, for two rounds; of one, right answers alone.
LineChart curves_of(const Results& results) {
  const Result& best = results.models.front();
  LineChart curves{
      "right answers, and of " + best.size.name() + " the weights of both steps (%)", "training step", {}};
  curves.from_zero = curves.names_at_ends = true;
  curves.unit = " %";
  Series right{best.size.name(), {}, {}}, reads{"reads name", {}, {}}, finds{"finds answer", {}, {}};
  reads.colour = 1, finds.colour = 3;  // of the arcs
  for (const Stage& stage : best.stages) {
    const auto step = static_cast<double>(stage.step);
    for (const auto& [series, y] :
         {std::pair(&right, stage.right), {&reads, 100 * stage.reads}, {&finds, 100 * stage.finds}}) {
      series->x.push_back(step);
      series->y.push_back(y);
    }
  }
  curves.series = {right, reads, finds};
  for (const Result& result : results.models) {
    if (result.size.rounds > 1) continue;
    curves.series.push_back(result.curve.figures(result.size.name()));
    curves.series.back().faint = true;
  }
  Series guess{commonest_value, right.x, {}, true};
  guess.x.insert(guess.x.begin(), 0);
  guess.y.assign(guess.x.size(), results.guesses.commonest);
  curves.series.push_back(guess);
  return curves;
}

// A bar in each cell of the table of looks, in the colour of the arcs of its step.
std::string bars_in_cells(const Results& results) {
  std::vector<Looks> rows;
  for (const Result& each : results.models) rows.insert(rows.end(), each.rounds.begin(), each.rounds.end());
  rows.push_back(results.even);
  std::string style =
      "<style>.steps td:nth-child(n+2){background:linear-gradient(90deg,color-mix(in srgb,var(--step) "
      "32%,transparent) var(--share),transparent 0)}";
  for (std::size_t step = 0; step < 2; ++step) {
    style += text(".steps td:nth-child(", step + 2, "){--step:", colour_of(step).colour, "}");
    for (std::size_t r = 0; r < rows.size(); ++r)
      style += text(
          ".steps tr:nth-child(", r + 1, ") td:nth-child(", step + 2, "){--share:",
          fixed_text(100 * (step == 0 ? rows[r].most_to_name_before() : rows[r].most_to_answer()), 0), "%}");
  }
  return style + "</style>\n";
}

}  // namespace

std::string page(const Results& results, const Settings& settings) {
  const RecallSizes& sizes = settings.budget.sizes;
  const Question asked = telling_question(results.models, settings.budget);
  Html html;
  html.paragraph(
      "Names and values stand by turns, and a name keeps its value: after “c 7 a 3 c” comes 7. That takes "
      "two steps:");
  html.picture(two_steps_drawn());
  html.paragraph(about_rounds());
  html.paragraph("Models have one round or two; their width is how many numbers stand for a token.");
  html.answer(result_of(results));
  html.heading(2, "How a question is answered");
  const std::vector<Html::Choice> heads = add_question(html, asked, results.models, settings);
  html.heading(2, "What the rounds have learnt");
  const ResultTable answers = table_of_answers(results, false), looks = table_of_looks(results);
  html.paragraph(text(
      "How many of ", grouped_text(static_cast<Index>(results.guesses.questions)),
      " questions are answered right. Below the models stand two guesses: one of the "
      "different values shown so far, by chance, and the commonest of them. The chart has the weights of "
      "the two steps, too: “reads name” is what a value gives to its name, “finds answer” what "
      "the question gives to the answer."));
  html.table(answers.titles(), answers.rows(), {}, {1, 2}).charts({curves_of(results)});
  html.paragraph(about_looks()).terms(columns_of_looks());
  html.markup(bars_in_cells(results)).markup("<div class=\"steps\">");
  html.table(looks.titles(), looks.rows(), {}, {0, 1}).markup("</div>\n");
  if (const std::string how = how_it_answers(results); !how.empty()) html.paragraph(how);
  html.paragraph(
      why_one_does_not(results, last_name(asked, sizes), token_of_pairs_in_two(asked.right, sizes)));
  if (const std::string note = note_on_values(results); !note.empty()) html.paragraph(note);
  if (const std::string moment = when_it_learns(results); !moment.empty()) html.paragraph(moment);
  html.heading(2, "Every head of every round").choices("Model", heads);
  add_places_in_code(html, "rounds",
                     {{"nn/data/recall.cpp", "the task"},
                      {"nn/transformer/language_model.cpp", "the model, whose layers are the rounds"},
                      {"examples/rounds/experiment.cpp", "how it is trained and tested"}});
  return html_page(question,
                   text(grouped_text(settings.budget.steps), " training steps of ", settings.budget.batch,
                        " new sequences each, seed ", settings.seed),
                   html);
}
