#include "page.hpp"

#include <algorithm>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/data/reviews.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>

#include "../in_code.hpp"
#include "findings.hpp"
#include "verdict_weights.hpp"

using namespace gradual;

namespace {

std::string shaded(const std::string& word, double weight, const std::string& note) {
  return text("<b style=\"--weight:", fixed_text(weight, 3), "\">", escaped(word),
              note.empty() ? "" : "<small>" + note + "</small>", "</b>");
}

// A line of text: the words that stand out are shaded by their weights, verdicts are underlined.
std::string words_of(const LabelledText& document, const std::vector<double>& weights, bool of_reviews) {
  const std::vector<ReviewVerdict> all = of_reviews ? verdicts(document) : std::vector<ReviewVerdict>();
  std::string html = "<p class=\"review\" dir=\"auto\">";
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::string& word = document.words[i];
    if (i > 0 && !is_mark(word)) html += " ";
    for (const ReviewVerdict& each : all)
      if (i == each.begin)
        html += text("<u class=\"", each.label, each.end == all.back().end ? " last" : "", "\">");
    html += stands_out(i, weights) ? shaded(word, weights[i], fixed_text(weights[i], 2)) : escaped(word);
    for (const ReviewVerdict& each : all)
      if (i + 1 == each.end) html += "</u>";
  }
  return html + "</p>\n";
}

std::string legend(bool of_reviews) {
  std::string html = "<p class=\"review label\">weight of a word ";
  for (const double weight : {0.2, 0.6, 1.0}) html += " " + shaded(fixed_text(weight, 1), weight, "");
  return html +
         (of_reviews ? "; verdicts: <u class=\"praise\">praise</u>, <u class=\"complaint\">complaint</u>; "
                       "<u class=\"praise last\">a thick line</u>: the last one"
                     : "") +
         "</p>\n";
}

// What one says of a document: whether it is right, the label, and how sure it is.
std::string said(const std::string& name, const std::string& label, double sure,
                 const LabelledText& document) {
  return text(
      escaped(name),
      label == document.label ? ": <span class=\"right\">✓</span> " : ": <span class=\"wrong\">✗</span> ",
      escaped(label), ", ", fixed_text(100 * sure, 0), " % sure");
}

// A document with the weights of its words, told places and not, and what each says to it.
std::string card_of(const Trial& trial, bool of_reviews, std::size_t i) {
  const LabelledText& document = trial.documents.held_out[i];
  const std::vector<double>& weights = trial.verdicts[i].word_weights;
  const auto line = [](const std::string& content) { return "<p class=\"label\">" + content + "</p>"; };
  const std::string why =
      of_reviews && trial.by_attention[i] != document.label ? why_wrong(document, weights) : std::string();
  return "<div>" +
         line(escaped("right: " + document.label +
                      (of_reviews ? "; verdicts: " + verdicts_text(document) : ""))) +
         line(said("attention", trial.by_attention[i], trial.attention_sure[i], document)) +
         words_of(document, weights, of_reviews) + (why.empty() ? "" : line(escaped(why))) +
         (trial.without_places.empty()
              ? ""
              : line(
                    said("without places", trial.without_places[i], trial.without_places_sure[i], document)) +
                    words_of(document, trial.without_places_weights[i], of_reviews)) +
         line(said("n-grams", trial.by_ngrams[i], trial.ngrams_sure[i], document)) + "</div>\n";
}

void add_cards(Html& html, const Trial& trial, bool of_reviews, const std::vector<std::size_t>& documents) {
  std::string cards;
  for (const std::size_t i : documents) cards += card_of(trial, of_reviews, i);
  html.markup("<div class=\"reviews\">" + cards + "</div>\n");
}

// Of documents about which attention is right, the one in which it gives most to the last verdict, and
// attention without places to verdicts of the label that it says instead, and least to the right one; the
// first where none differ.
std::size_t plainest(const std::vector<std::size_t>& documents, const Trial& trial) {
  const auto plain = [&](std::size_t i) {
    const LabelledText& document = trial.documents.held_out[i];
    const std::vector<double> weights = on_verdicts(document, trial.without_places_weights[i]);
    const std::vector<ReviewVerdict> all = verdicts(document);
    double by = 0;
    for (std::size_t v = 0; v < all.size(); ++v)
      by += all[v].label == document.label            ? -weights[v]
            : all[v].label == trial.without_places[i] ? weights[v]
                                                      : 0;
    const std::vector<double> told = on_verdicts(document, trial.verdicts[i].word_weights);
    return trial.without_places[i] == document.label || told.empty() ? -1 : by + told.back();
  };
  return *std::max_element(documents.begin(), documents.end(),
                           [&](std::size_t a, std::size_t b) { return plain(a) < plain(b); });
}

// Those of each, in colour, the best first, and in grey below them what can be had without learning.
void add_bars(Html& html, const Trial& trial, bool of_reviews) {
  std::vector<std::pair<std::string, double>> shares{{"attention alone", trial.right.attention / 100}};
  if (!trial.without_places.empty()) shares.emplace_back("without places", trial.right.without_places / 100);
  shares.emplace_back("n-grams alone", trial.right.ngrams / 100);
  shares.emplace_back("both together", trial.right.both / 100);
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  const std::size_t learnt = shares.size();
  const auto [label, share] = best_single_answer(trial);
  if (of_reviews) shares.emplace_back("counting verdicts", right_by_majority(trial) / 100);
  shares.emplace_back("always " + label, share / 100);
  html.bars(text("Share of ", grouped_text(static_cast<Index>(trial.verdicts.size())),
                 of_reviews ? " reviews" : " documents", " that are right; grey: what takes no learning"),
            shares, true, learnt);
}

constexpr const char* style =
    "<style>.reviews{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));"
    "gap:14px;margin-bottom:14px}.reviews>div{background:var(--card);border:1px solid "
    "var(--line);border-radius:10px;"
    "padding:10px 14px;break-inside:avoid}.reviews .review{margin:0}.reviews .label{margin:6px 0 0}"
    ".reviews .label:first-child{margin:0}.review b{font-weight:inherit;white-space:nowrap;padding:1px 4px;"
    "border-radius:5px;background:color-mix(in srgb,var(--accent) calc(var(--weight)*40%),transparent)}"
    ".review small{display:inline-block;margin-left:4px;font-size:12px}"
    ".review u{text-decoration:underline 1px var(--right);text-underline-offset:4px}"
    ".review u.complaint{text-decoration-style:dashed;text-decoration-color:var(--wrong)}"
    ".review u.last{text-decoration-thickness:3px}.review.label{margin-bottom:8px}</style>\n";

}  // namespace

std::string trial_page(const Trial& trial, bool of_reviews, const TrainingOptions& options) {
  constexpr std::size_t most = 4;
  Html html;
  html.markup(style).paragraph(
      of_reviews
          ? "Is a review of a film praise, complaint or neither? Reviews are sentences put together at "
            "random. Some praise or blame, and the last of these verdicts counts. What is said of one, "
            "and the words that attention gives most weight to:"
          : "What is the label of a document? What is said of one, and the words that attention gives "
            "most weight to:");
  html.markup(legend(of_reviews));
  for (const Sort* sort : {&only_attention, &both_right, &attention_errs}) {
    const std::vector<std::size_t> found = first_of(documents_of(trial, *sort), most, *sort, trial);
    if (found.empty()) continue;
    add_cards(html, trial, of_reviews,
              {of_reviews && sort == &only_attention && !trial.without_places.empty() ? plainest(found, trial)
                                                                                      : found.front()});
    break;
  }
  const std::vector<std::string> all_answers = answers(trial, of_reviews);
  html.paragraph(all_answers.front());
  add_bars(html, trial, of_reviews);
  html.terms(classifiers(of_reviews));
  for (std::size_t i = 1; i < all_answers.size(); ++i) html.paragraph(all_answers[i]);
  html.paragraph(worth_of_parameters(trial));
  const ResultTable table = table_of(trial);
  html.markup("<details><summary>All figures, of all and of those with each label</summary>")
      .table(table.short_titles(), table.rows())
      .markup("</details>\n");
  html.heading(2, "Which words get most weight");
  html.paragraph(meaning_of_weights(of_reviews) +
                 " Words are shaded by their weights, which stand beside them. Where no word is shaded, none "
                 "has much more than the others. ✓ marks what is right.");
  for (const Sort* sort : {&only_attention, &attention_errs, &both_right}) {
    const std::vector<std::size_t> all = documents_of(trial, *sort);
    html.heading(3, text(sort->name, ", on ", grouped_text(static_cast<Index>(all.size())), " of ",
                         grouped_text(static_cast<Index>(trial.verdicts.size()))));
    if (all.empty())
      html.paragraph("None.");
    else
      add_cards(html, trial, of_reviews, first_of(all, most, *sort, trial));
  }
  add_places_in_code(html, "classify",
                     {{"examples/classify/model.cpp", "the network"},
                      {"nn/attention/global.cpp", "the mean of all words by weights"},
                      {"examples/classify/ngrams.cpp", "n-grams"}});
  return html_page(question_of(of_reviews), counts_of(trial, of_reviews, options), html);
}
