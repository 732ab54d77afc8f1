#include "page.hpp"

#include <algorithm>
#include <regex>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/data/reviews.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/text/words.hpp>

#include "../in_code.hpp"
#include "../mean_and_spread.hpp"
#include "findings.hpp"
#include "verdict_weights.hpp"

using namespace gradual;

namespace {

constexpr std::size_t most_cards = 4;  // of a sort

std::string shaded(const std::string& word, double weight, const std::string& note) {
  return text("<b style=\"--weight:", fixed_text(weight, 3), "\">", escaped(word),
              note.empty() ? "" : "<small>" + note + "</small>", "</b>");
}

std::string shaded_weights(const std::vector<double>& weights) {
  std::string html;
  for (const double each : weights) html += shaded(fixed_text(each, 2), each, "") + " ";
  return html;
}

// A text: the words that stand out are shaded by their weights, verdicts are underlined.
std::string words_of(const LabelledText& document, const std::vector<double>& weights, bool of_reviews) {
  const std::vector<ReviewVerdict> all = of_reviews ? verdicts(document) : std::vector<ReviewVerdict>();
  std::string html;
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
  return html;
}

// What is to be told of reviews, with their verdicts underlined as in the cards.
std::string marked_examples() {
  std::string html = "<dl class=\"terms review\">";
  for (const auto& [review, answer] : review_examples()) {
    LabelledText document;
    document.words = split_words(review);
    const std::string label = verdicts(document).empty() ? "" : verdicts(document).back().label;
    html +=
        text("<div><dt>", words_of(document, std::vector<double>(document.words.size()), true), "</dt><dd>",
             label.empty()
                 ? answer
                 : std::regex_replace(answer, std::regex(label), "<u class=\"" + label + " last\">$&</u>"),
             "</dd></div>");
  }
  return html + "</dl>\n";
}

// What the marks of words_of() mean.
std::string key(bool of_reviews) {
  std::string html = "<p class=\"review key\"><span>";
  for (const double weight : {0.2, 0.6, 1.0}) html += shaded(fixed_text(weight, 1), weight, "") + " ";
  html += "weight of a word</span>";
  if (of_reviews)
    for (const auto& [place, meaning] : {std::pair("", "a verdict"), std::pair(" last", "the last verdict")})
      html += text("<span><u class=\"praise", place, "\">praise</u> <u class=\"complaint", place,
                   "\">complaint</u> ", meaning, "</span>");
  return html + "</p>\n";
}

// What each says of a document, a row for each.
std::string opinions_table(const Trial& trial, bool of_reviews, std::size_t i) {
  const LabelledText& document = trial.documents.held_out[i];
  const bool has_verdicts = of_reviews && !verdicts(document).empty();
  std::string html = text("<table class=\"opinions\"><tr><td></td><th>says</th><th>sure</th>",
                          has_verdicts ? "<th>weight of each verdict</th>" : "", "</tr>");
  for (const Opinion& each : opinions_of(trial, i)) {
    html += text(
        "<tr><th>", each.name, "</th><td>",
        each.said == document.label ? "<span class=\"right\">✓</span> " : "<span class=\"wrong\">✗</span> ",
        escaped(each.said), "</td><td>", fixed_text(100 * each.sure, 0), " %</td>");
    if (has_verdicts)
      html +=
          text("<td>", each.weights ? shaded_weights(on_verdicts(document, *each.weights)) : "–", "</td>");
    html += "</tr>";
  }
  return html + "</table>";
}

// A document, shaded by attention's weights, what is right, and what each says of it.
std::string card_of(const Trial& trial, bool of_reviews, std::size_t i) {
  const LabelledText& document = trial.documents.held_out[i];
  return text("<div><p class=\"review\" dir=\"auto\">",
              words_of(document, trial.verdicts[i].word_weights, of_reviews), "</p>\n<p class=\"label\">",
              escaped(of_reviews ? about_verdicts(trial, i) : "right is " + document.label), "</p>",
              opinions_table(trial, of_reviews, i), "</div>\n");
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

// The same, with one whose verdicts are others than in all of these, where there is one, of those with the
// fewest: so a draw is seen, and a review without a verdict.
std::vector<std::size_t> with_other_verdicts(std::vector<std::size_t> shown,
                                             std::vector<std::size_t> documents, const Sort& sort,
                                             const Trial& trial) {
  if (shown.size() < most_cards) return shown;
  const auto review = [&](std::size_t i) { return trial.documents.held_out[i]; };
  const auto rank = [&](std::size_t i) {
    return std::pair(needs_places(trial, i) != sort.needs_places, verdicts(review(i)).size());
  };
  std::stable_sort(documents.begin(), documents.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  const auto other = std::find_if(documents.begin(), documents.end(), [&](std::size_t i) {
    return std::none_of(shown.begin(), shown.end(),
                        [&](std::size_t j) { return which_counts(review(j)) == which_counts(review(i)); });
  });
  if (other != documents.end()) shown[most_cards - 2] = *other;  // the last is of another way to decide
  return shown;
}

// The document that the page begins with: one that only attention knows, where there is one.
std::size_t shown_first(const Trial& trial) {
  for (const Sort* sort : {&only_attention, &both_right}) {
    const std::vector<std::size_t> found = first_of(documents_of(trial, *sort), most_cards, *sort, trial);
    if (!found.empty())
      return sort == &only_attention && !trial.without_places.empty() ? plainest(found, trial)
                                                                      : found.front();
  }
  return first_of(documents_of(trial, attention_errs), 1, attention_errs, trial).front();
}

// What each is worth and what can be had without learning, the best first, and in colour with it what is as
// good.
void add_bars(Html& html, const Trial& trial, bool of_reviews) {
  const auto [label, share] = best_single_answer(trial.documents.held_out);
  std::vector<std::pair<std::string, double>> shares{{"attention", trial.right.attention / 100},
                                                     {"n-grams", trial.right.ngrams / 100},
                                                     {"both together", trial.right.both / 100},
                                                     {"always " + label, share / 100}};
  if (!trial.without_places.empty()) shares.emplace_back("without places", trial.right.without_places / 100);
  if (of_reviews) shares.emplace_back("counting verdicts", right_by_majority(trial.documents.held_out) / 100);
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  const auto tested = static_cast<double>(trial.verdicts.size());
  const auto in_colour =
      static_cast<std::size_t>(std::count_if(shares.begin(), shares.end(), [&](const auto& each) {
        return may_be_chance(100 * shares.front().second, 100 * each.second, tested);
      }));
  html.bars(text("Share of ", grouped_text(static_cast<Index>(trial.verdicts.size())), " ",
                 noun_of(of_reviews), "s that are right", in_colour_text(in_colour)),
            shares, true, in_colour);
}

constexpr const char* style =
    "<style>.reviews{display:grid;gap:14px;margin-bottom:14px;"
    "grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr))}"
    ".reviews>div{background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "padding:12px 16px;break-inside:avoid;display:flex;flex-direction:column}.reviews p{text-wrap:wrap}"
    ".reviews>:only-child{grid-column:1/-1;justify-self:center;width:100%;max-width:45rem}"
    ".reviews .review{margin:0 0 6px}.reviews .label{margin:auto 0 8px}"
    ":is(.review,.opinions) b{font-weight:inherit;white-space:nowrap;padding:1px 4px;border-radius:5px;"
    "background:color-mix(in srgb,var(--accent) calc(var(--weight)*40%),transparent)}"
    ".review b{padding-right:2px}.review dt{color:var(--ink)}"
    ".review small{display:inline-block;margin-left:4px;font-size:12px}"
    ".review u{text-decoration:none;border-bottom:1px solid var(--right)}"
    ".review u.complaint{border-bottom-style:dashed;border-bottom-color:var(--wrong)}"
    ".review u.last{border-bottom-width:3px}"
    ".key{display:flex;flex-wrap:wrap;gap:4px 24px;font-size:14px;color:var(--soft)}"
    ".key :is(b,u){color:var(--ink)}"
    ".opinions{border:0;background:none;table-layout:fixed;font-size:14px;font-variant-numeric:tabular-nums}"
    ".opinions :is(th,td){padding:3px 14px 3px 0;border:0}"
    ".opinions th{font-weight:400;font-size:inherit;white-space:nowrap}"
    ".opinions :is(th,td):last-child{padding-right:0;white-space:normal;text-align:right}"
    ".opinions tr>:first-child{width:8.4em}.opinions tr>:nth-child(2){width:7.2em}"
    ".opinions tr>:nth-child(3){width:4.4em}"
    ".whole{white-space:nowrap}"
    "@media(max-width:640px){.reviews>div{padding:10px 12px}"
    ".opinions{font-size:13px}.opinions :is(th,td){padding-right:6px}.opinions tr>th:first-child{white-space:"
    "normal}.opinions tr>:first-child{width:5.7em}.opinions tr>:nth-child(2){width:7.2em}.opinions "
    "tr>:nth-child(3){width:3.6em}"
    ".opinions b{padding:1px 2px;font-size:12px}}</style>\n";

// A line would end behind the hyphen, and a hyphen at which none may end cannot be searched for. Only in what
// is shown: behind it, the next bracket opens a tag.
std::string with_ngrams_whole(const std::string& html) {
  return std::regex_replace(html, std::regex("[nN]-grams(?=[^<>]*<)"), "<span class=\"whole\">$&</span>");
}

}  // namespace

std::string trial_page(const Trial& trial, bool of_reviews, const TrainingOptions& options) {
  Html html;
  html.markup(style).paragraph(task_of(of_reviews) + (of_reviews ? ":" : "."));
  if (of_reviews) html.markup(marked_examples());
  html.paragraph("Tried at it:").terms(all_tried(of_reviews, trial.documents.held_out));
  html.answer(in_short(trial, of_reviews));
  html.heading(2, "What comes of it?");
  add_bars(html, trial, of_reviews);
  const std::string average = of_reviews ? about_average(trial) : "";
  html.paragraph(average + (average.empty() ? "" : " ") + worth_of_parameters(trial));
  const ResultTable table = table_of(trial, of_reviews, true);
  html.markup("<details><summary>All figures, of all and of those with each label</summary>")
      .table(table.short_titles(), table.rows())
      .markup("</details>\n");
  html.heading(2, "How does attention decide?");
  html.paragraph(how_words_are_weighed(of_reviews));
  html.paragraph(text("What each says of one ", noun_of(of_reviews),
                      of_reviews ? ", the words that attention gives most weight to, and the weights of the "
                                   "verdicts in their order, each the sum of its words' weights:"
                                 : ", and the words that attention gives most weight to:"));
  const std::size_t first = shown_first(trial);
  html.markup(key(of_reviews));
  add_cards(html, trial, of_reviews, {first});
  if (of_reviews) {
    const std::string where = where_weights_are(trial);
    html.paragraph(where + (where.empty() ? "" : " ") + about_last_verdict(trial));
  }
  html.heading(2, "Which words get most weight");
  html.paragraph(text(
      "Words are shaded by their weights, which stand beside them. The weight of a word is its share in the "
      "mean by which attention decides. Each word is first mixed with its neighbours",
      of_reviews ? ", so weight on “not” counts for “not dull”."
                 : ". Where no word is shaded, none has much more than the others.",
      " ✓ marks what is right."));
  for (const Sort* sort : {&only_attention, &attention_errs, &both_right}) {
    std::vector<std::size_t> all = documents_of(trial, *sort);
    const std::string title = text(sort->name, ", on ", grouped_text(static_cast<Index>(all.size())), " of ",
                                   grouped_text(static_cast<Index>(trial.verdicts.size())));
    const bool none = all.empty(), folded = sort == &both_right;  // the others tell the two apart
    all.erase(std::remove(all.begin(), all.end(), first), all.end());
    if (folded)
      html.markup("<details><summary>" + escaped(title) + "</summary>");
    else
      html.heading(3, title);
    if (all.empty())
      html.paragraph(none ? "None." : "It stands above.");
    else
      add_cards(html, trial, of_reviews,
                with_other_verdicts(first_of(all, most_cards, *sort, trial), all, *sort, trial));
    if (folded) html.markup("</details>\n");
  }
  add_places_in_code(html, "classify",
                     {{"examples/classify/model.cpp", "the network"},
                      {"nn/attention/global.cpp", "the mean of all words by weights"},
                      {"examples/classify/ngrams.cpp", "n-grams"}});
  return with_ngrams_whole(html_page(question_of(of_reviews), counts_of(trial, of_reviews, options), html));
}
