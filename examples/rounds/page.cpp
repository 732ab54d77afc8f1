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
  Html way;
  way.heading(
      3, text(result.size.name(), ": ", token_of_pairs_in_two(answer.value, sizes), right ? " ✓" : " ✗"));
  way.paragraph(result.size.rounds == 1
                    ? text("When its only round looks, no value knows yet which name it follows: a ", value,
                           " is a ", value,
                           ", whichever name it belongs to. So it cannot pick the one that belongs to the ",
                           name, ". It says ", with_times(answer.value, asked, sizes), ".")
                    : text("Begin at the ", name,
                           " at the end. Above: where it looks in round 2. Below: where the values that it "
                           "looks at had looked in round 1.",
                           right ? "" : " Here the way does not lead to the right value."));
  html.beside(way, "<div class=\"wide\">" + answer.hops + "</div><div class=\"narrow\">" +
                       answer.narrow_hops + "</div>");
}

// What all heads of a model look at, and how to read it.
Html heads_of(const Answer& answer, const Result& result, const Question& asked, const RecallSizes& sizes) {
  const bool one_round = result.size.rounds == 1;
  const Hop& most = answer.strongest;
  Html html;
  html.paragraph(
      text("Each row is a token that looks, each column one that it may look at: itself, and those before "
           "it. The weights of a row sum to 1. The last row, “",
           last_name(asked, sizes), "?”, is the question.",
           most.weight == 0
               ? ""
               : text(" An example: in round ", result.rounds.size(), ", head ", most.head + 1,
                      ", the darkest cell of this row stands below a ",
                      token_of_pairs_in_two(asked.tokens[most.to], sizes), ": the ", last_name(asked, sizes),
                      " gives it ", fixed_text(most.weight, 2), " of its weight.")));
  html.paragraph(text(
      "Framed are the cells of the arcs, ", one_round ? "in orange" : "in the colours of their rounds",
      ", and only in the head that gives most to a single token. ",
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
    const Answer answer = answer_to(asked, each, settings.budget);
    if (each.size.width == settings.width) add_way(ways, each, answer, asked, sizes);
    heads.push_back({each.size.name(), heads_of(answer, each, asked, sizes)});
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

LineChart curves_of(const Results& results) {
  LineChart curves{"Answers that are right (%)", "training step", {}};
  curves.from_zero = curves.names_at_ends = true;
  for (const Result& result : results.models) {
    curves.series.push_back(result.curve.figures(result.size.name()));
    curves.series.back().faint = result.size.rounds == 1;
  }
  const std::vector<double> steps = curves.series.front().x;
  const double commonest = results.guesses.commonest;
  curves.series.push_back({commonest_value, {steps.front(), steps.back()}, {commonest, commonest}, true});
  return curves;
}

}  // namespace

std::string page(const Results& results, const Settings& settings) {
  const RecallSizes& sizes = settings.budget.sizes;
  const Question asked = telling_question(results.models, settings.budget);
  Html html;
  html.paragraph(
      "Names and values stand by turns, and a name keeps its value: after \"c 7 a 3 c\" comes 7. That takes "
      "two steps:");
  html.picture(two_steps_drawn());
  html.paragraph(about_rounds());
  html.paragraph("Models have one round or two; their width is how many numbers stand for a token.");
  html.answer(result_of(results));
  html.heading(2, "How a question is answered");
  const std::vector<Html::Choice> heads = add_question(html, asked, results.models, settings);
  html.heading(2, "What the rounds have learnt");
  const ResultTable answers = table_of_answers(results, false), looks = table_of_looks(results);
  html.paragraph(text("How many of ", grouped_text(static_cast<Index>(results.guesses.questions)),
                      " questions are answered right. Below the models stand two guesses: one of the "
                      "different values shown so far, by chance, and the commonest of them."));
  html.table(answers.titles(), answers.rows()).charts({curves_of(results)});
  html.paragraph(about_looks()).terms(columns_of_looks());
  html.table(looks.titles(), looks.rows());
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
                   text(settings.budget.steps, " training steps of ", settings.budget.batch,
                        " new sequences each, seed ", settings.seed),
                   html);
}
