#include <algorithm>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

#include "../in_code.hpp"
#include "../mean_and_spread.hpp"
#include "outcomes.hpp"
#include "report.hpp"

using namespace gradual;

namespace {

// The ways by how many sentences they get right, the best first, and in colour with it what is as good.
void add_ranking(Html& html, const Report& report) {
  const std::size_t sentences = report.task.test.size();
  const Outcome* const best = most_exact(report.ways);
  std::vector<std::pair<std::string, double>> shares;
  std::size_t in_colour = 0;
  for (const Outcome* way : ranked(report.ways)) {
    shares.emplace_back(way->name, way->exact / 100);
    if (best != nullptr && are_level(*way, *best, sentences)) ++in_colour;
  }
  html.bars(text("Share of ", sentences, " held-out sentences that come out exactly right, word for word",
                 in_colour_text(in_colour)),
            shares, true, in_colour);
}

// Whether a map is seen at once: of what gets the most right and what is within chance of it, if any does,
// and of what the division changes.
bool is_seen_at_once(const Outcome& way, const Report& report) {
  const Outcome* const best = most_exact(report.ways);
  return way.name == "scaled dot" || way.name == "dot" ||
         (best != nullptr && are_level(way, *best, report.task.test.size()));
}

// The rows of a table with one for each way in the order of the ways, the best first.
std::vector<std::vector<std::string>> best_first(const ResultTable& table, const Report& report) {
  const std::vector<std::vector<std::string>> rows = table.rows();
  std::vector<std::vector<std::string>> sorted;
  for (const Outcome* way : ranked(report.ways))
    sorted.push_back(rows.at(static_cast<std::size_t>(way - report.ways.data())));
  return sorted;
}

void add_maps(Html& html, const Report& report) {
  std::vector<Html::Choice> sentences;
  for (std::size_t i = 0; i < report.ways.back().maps.size(); ++i) {
    const AttentionMap& any = report.ways.back().maps[i];
    std::vector<std::string> shown{
        draw_attention_map(alignment_map(any.queries, any.keys, report.task.test[i].alignment))},
        others;
    for (const Outcome* each : ranked(report.ways))
      if (i < each->maps.size())
        (is_seen_at_once(*each, report) ? shown : others).push_back(draw_attention_map(each->maps[i]));
    Html maps;
    maps.markup("<div class=\"column\">").pictures(shown);
    if (!others.empty())
      maps.markup("<details><summary>The other ways</summary>").pictures(others).markup("</details>");
    maps.markup("</div>");
    sentences.push_back({report.task.test[i].pair.source, maps});
  }
  html.paragraph(
      "A dark cell says: before the French word at its left, the model looked at the English word above it. "
      "It is told the "
      "right translation, word by word, whatever it would write itself. The first map shows which words "
      "translate each other, as the corpus knows; the models "
      "were never told. The more a map is like it, the more its model looks at the words that it "
      "translates.");
  html.paragraph(
      "A model can translate well though its map is blurred: English words have looked at each other "
      "before, so that each brings something of its neighbours, and of several heads only the one is shown "
      "that is closest to the first map. ⏎ is the end of a sentence, which translates no word. “recurrent” "
      "has no map, as it does not attend.");
  if (const auto dots = report.dots();
      !dots.empty() && is_sure_early(*dots[0]) && dots[0]->exact < dots[1]->exact)
    html.paragraph(
        "Dot puts most of its weight on wrong words: its map is dark mostly where the first one is not. The "
        "next "
        "section says why.");
  html.choices("Sentence", sentences);
}

}  // namespace

std::string Report::page() const {
  Html html;
  const SentencePair& first = task.test.front().pair;
  html.paragraph(text("The task: “", first.source, "” is “", first.target, "” in French. Small translators, ",
                      ways.size(), " of them, learn from ",
                      grouped_text(static_cast<Index>(task.train.size())), " pairs in ", settings.steps,
                      " steps and then translate ", task.test.size(),
                      " other sentences. What differs is how they attend; the recurrent ones are also "
                      "another kind of network."));
  html.paragraph(attending());
  html.weighted_words("Before a translator says “hibou”, scores of 0, 1 and 2 give these weights:",
                      {"The", "small", "owl"}, {0.0900, 0.2447, 0.6652});
  html.paragraph(text("Two thirds of what it takes in are of the owl. ", who_looks_at_whom,
                      " The translators differ in the score."));
  html.answer(summary());
  html.heading(2, "Which way gets the most sentences right?");
  html.paragraph("The ways, each in words of those above it:").terms(ways_in_words());
  add_ranking(html, *this);
  for (const std::string& each : {scoreless_finding(), heads_finding(), window_finding()})
    if (!each.empty()) html.paragraph(each);
  const Example found = example();
  NamesAndMeanings said{{found.count, found.right}};
  said.insert(said.end(), found.wrong.begin(), found.wrong.end());
  html.paragraph("From “" + found.source + "” they make:").terms(said);
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
  html.terms({{"weight on right words",
               "of all weight, the share that lies on words that the French one translates"},
              {"top word, all heads",
               "how often the word with the most weight is such a word, in the mean of all heads"},
              {"top word, best head",
               "the same, for the single head with the most weight on such words: it can be lower, because "
               "heads make different mistakes"}});
  html.table(look_table.titles(), best_first(look_table, *this));
  html.heading(3, "The scores as formulas");
  html.paragraph(
      "Where q is the word that looks (its query) and k one that it may look at (its key), each of d "
      "numbers:");
  html.terms({{"additive", "vᵀ·tanh(W₁·q + W₂·k), where v, W₁ and W₂ are learnt"},
              {"dot", "qᵀk"},
              {"scaled dot", "qᵀk/√d"}});
  html.paragraph(
      "Chapter 4 of the book (docs/chapters) has more of them, and chapter 10 has the recurrent networks, "
      "which are GRUs.");
  // A phone has room for four columns, and what is exactly right stands above.
  std::vector<std::string> titles = table.titles();
  std::vector<std::vector<std::string>> rows = best_first(table, *this);
  const std::ptrdiff_t exact = std::find(titles.begin(), titles.end(), "exactly right") - titles.begin();
  titles.erase(titles.begin() + exact);
  for (std::vector<std::string>& row : rows) row.erase(row.begin() + exact);
  html.markup("<details><summary>All figures, what they cost, and settings</summary>")
      .paragraph(
          "BLEU, from 0 to 100, counts the runs of words that a translation shares with the expected one "
          "(chapter 13b of the book). A small network for scores takes more parameters than dot. CPU time is "
          "that of training, on all threads together.")
      .table(titles, rows)
      .key_values({{"sentence pairs", grouped_text(static_cast<Index>(task.train.size()))},
                   {"held-out sentences", text(task.test.size())},
                   {"steps", text(settings.steps)},
                   {"tokens in a batch", text(settings.batch_tokens)},
                   {"width", text(settings.width)},
                   {"heads", text(settings.heads)},
                   {"layers", text(settings.layers)},
                   {"window", text(settings.window)},
                   {"learning rate", short_text(settings.learning_rate, 3)},
                   {"seed", text(settings.seed)}})
      .markup("</details>\n");
  add_places_in_code(html, "compare",
                     {{"nn/attention/scores/", "the scores, a file each"},
                      {"nn/attention/multi_head.cpp", "attention with several heads"},
                      {"examples/compare/contest.cpp", "the ways, and how they are trained and tested"}});
  return html_page("Which way to attend translates best?",
                   text("from English to French, ", grouped_text(static_cast<Index>(task.train.size())),
                        " sentence pairs; one budget of ", settings.steps,
                        " steps, and every model starts from the same seed"),
                   html);
}
