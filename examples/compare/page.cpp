#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>

#include "../in_code.hpp"
#include "../mean_and_spread.hpp"
#include "outcomes.hpp"
#include "report.hpp"
#include "way_picture.hpp"

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

// Whether a map is seen at once: of what gets the most right, and of what the division changes.
bool is_seen_at_once(const Outcome& way, const Report& report) {
  return &way == most_exact(report.ways) || way.name == "scaled dot" || way.name == "dot";
}

// The rows of a table with one for each way in the order of the ways, the best first.
std::vector<std::vector<std::string>> best_first(const ResultTable& table, const Report& report) {
  const std::vector<std::vector<std::string>> rows = table.rows();
  std::vector<std::vector<std::string>> sorted;
  for (const Outcome* way : ranked(report.ways))
    sorted.push_back(rows.at(static_cast<std::size_t>(way - report.ways.data())));
  return sorted;
}

// What a way's picture shows of its trouble, or of the cure, where the figures show it.
std::string note_on(const std::string& way, const Report& report) {
  if (!report.dot_is_sure_and_behind()) return "";
  return way == "dot"          ? "Too sure: all weight on one word, and often on a wrong one."
         : way == "scaled dot" ? "Smaller scores spread the weight."
                               : "";
}

// What attention is, with an example, and a card for each way: what it looks at, and what it is.
void add_ways(Html& html, const Report& report) {
  html.paragraph(report.attending());
  html.weighted_words("Weights of three words whose scores are 0, 1 and 2:", {"The", "small", "owl"},
                      weights_of({0, 1, 2}));
  html.paragraph("A transformer attends in three places:")
      .terms(
          {{"English to English",
            "each word looks at all words of its sentence (local window: those near it)"},
           {"French to French", "each word looks at itself and those before it (local window: the nearest)"},
           {"French to English", "each word looks at all words of the English sentence"}});
  html.paragraph(
      "Drawn are five words that are read, and below them one that is about to be said; the thicker a line, "
      "the more weight. Each head has a colour; a box is a network that gives scores, purple what passes "
      "from "
      "word to word, and arcs show what one word sees of its own sentence with the window.");
  html.markup(
      "<style>.way .line{stroke-width:2}.way rect{fill:var(--g-soft);opacity:.75}.way "
      ".said{fill:var(--g-ink);opacity:1}.way "
      ".network{fill:var(--card);stroke:var(--g-soft);opacity:1}</style>\n");
  std::vector<Html> cards;
  for (const auto& [name, meaning] : report.ways_in_words()) {
    Html card;
    card.heading(3, name).markup(draw_way(name)).paragraph(meaning);
    if (const std::string note = note_on(name, report); !note.empty())
      card.markup("<p class=\"label\">" + escaped(note) + "</p>");
    cards.push_back(card);
  }
  html.cards(cards, 150);
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
    maps.markup("<div class=\"column\" style=\"margin-bottom:14px\">").pictures(shown);
    if (!others.empty())
      maps.markup("<details><summary>The other ways</summary>").pictures(others).markup("</details>");
    maps.markup("</div>");
    sentences.push_back({report.task.test[i].pair.source, maps});
  }
  html.paragraph(
      "A dark cell says: before the French word at its left, the model looked at the English word above it. "
      "Every French word may look at all English ones, with the local window, too. The models are told the "
      "right translation, word by word, whatever they would write themselves. The first map shows which "
      "words translate each other, as the corpus knows. ⏎ is the end of a sentence.");
  if (report.dot_is_sure_and_behind())
    html.paragraph(
        "Dot puts most of its weight on wrong words: its map is dark mostly where the first one is not.");
  html.choices("Sentence", sentences);
  html.paragraph(
      "A model can translate well though its map is blurred: English words have looked at each other "
      "before, so that each brings something of its neighbours, and of several heads only the one is shown "
      "that is closest to the first map. “recurrent” has no map, as it does not attend.");
}

}  // namespace

std::string Report::page() const {
  Html html;
  const SentencePair& first = task.test.front().pair;
  html.paragraph(text(task_in_words(), " “", first.source, "” is “", first.target, "”, for example."));
  html.paragraph(
      "Two are recurrent networks, which read word by word: one without attention (recurrent), one with it "
      "(recurrent, additive). The others are transformers: one lets all words count alike (equal weights), "
      "three give them scores in one way each (dot, scaled dot, additive), and two have several heads, each "
      "with scores of its own (multi-head, local window).");
  html.answer(summary());
  add_ranking(html, *this);
  html.heading(2, "How does each attend?");
  add_ways(html, *this);
  html.heading(2, "What comes of it?");
  for (const std::string& each : {scoreless_finding(), heads_finding(), window_finding()})
    if (!each.empty()) html.paragraph(each);
  const Example found = example();
  NamesAndMeanings said{{found.count, found.right}};
  said.insert(said.end(), found.wrong.begin(), found.wrong.end());
  html.paragraph("From “" + found.source + "” they make:").terms(said);
  if (const Judged* const wrong = first_mistake_of_best(); wrong != nullptr)
    html.paragraph("The best one errs, too, first on “" + wrong->source + "”:")
        .terms({{"it says", "✗ " + wrong->translation}, {"right", wrong->references.front()}});
  html.heading(2, "What does each look at?");
  add_maps(html, *this);
  if (!dots().empty()) {
    const double root = std::sqrt(static_cast<double>(settings.width));
    html.heading(2, text("What does the division by √", settings.width, " do?"));
    html.weighted_words(text("Above, scores of 0, 1 and 2 gave weights of ", softmax_of_0_1_2(),
                             ". Without the division the scores are 0, ", short_text(root, 2), " and ",
                             short_text(2 * root, 3), ":"),
                        {"The", "small", "owl"},
                        weights_of({0, static_cast<Real>(root), static_cast<Real>(2 * root)}));
    html.paragraph(division_finding())
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
  html.terms(
      {{"on right words", "of all weight, the share that lies on words that the French one translates"},
       {"top word, all heads",
        "how often the word with the most weight is such a word, in the mean of all heads"},
       {"top word, best head",
        "the same, for the single head with the most weight on such words: it can be lower, because "
        "heads make different mistakes (–: all words count alike, or there is no attention)"}});
  html.table(look_table.titles(), best_first(look_table, *this));
  html.heading(3, "The scores as formulas");
  html.paragraph(
      "Where q is the list of the word that looks, times a learnt matrix (its query), and k the list of one "
      "that it may look at, times another (its key), each of d numbers:");
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
                   {"steps", grouped_text(settings.steps)},
                   {"words in a step, at most", grouped_text(settings.batch_tokens)},
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
  return html_page(
      "Which way to attend translates best?",
      "From English to French: one task and one budget for all, each starting from the same seed", html);
}
