#include "page.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/data/reviews.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>

#include "../in_code.hpp"
#include "findings.hpp"

using namespace gradual;

namespace {

std::string shaded(const std::string& word, double weight, const std::string& note) {
  return text("<b style=\"--weight:", fixed_text(weight, 3), "\">", escaped(word),
              note.empty() ? "" : "<small>" + note + "</small>", "</b>");
}

// A line of text: the words that stand out are shaded by their weights, the last verdict is underlined.
std::string words_of(const LabelledText& document, const std::vector<double>& weights, bool of_reviews) {
  const auto none = std::pair(weights.size(), weights.size());
  const auto [begin, end] = of_reviews ? last_verdict(document) : none;
  std::string html = "<p class=\"review\" dir=\"auto\">";
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::string& word = document.words[i];
    if (i > 0 && !is_mark(word)) html += " ";
    if (i == begin) html += "<u>";
    html += stands_out(i, weights) ? shaded(word, weights[i], fixed_text(weights[i], 2)) : escaped(word);
    if (i + 1 == end) html += "</u>";
  }
  return html + "</p>\n";
}

std::string legend(bool of_reviews) {
  std::string html = "<p class=\"review label\">weight of a word ";
  for (const double weight : {0.2, 0.6, 1.0}) html += " " + shaded(fixed_text(weight, 1), weight, "");
  return html + (of_reviews ? "; <u>underlined</u>: the last verdict" : "") + "</p>\n";
}

// "2 × complaint, 1 × praise", where no line ends within one of them
std::string counted_verdicts(const LabelledText& review) {
  constexpr const char* space = "\xC2\xA0";
  std::map<std::string, Index> counts;
  for (const ReviewVerdict& each : verdicts(review)) ++counts[each.label];
  std::vector<std::string> texts;
  for (const auto& [label, count] : counts) texts.push_back(text(count, space, "×", space, label));
  return texts.empty() ? "none" : list_text(texts, ", ");
}

// Some documents of a sort, and what both say to them.
void add_documents(Html& html, const Trial& trial, bool of_reviews, const std::string& heading,
                   const std::vector<std::size_t>& documents) {
  const Documents& held_out = trial.documents.held_out;
  html.heading(3, heading);
  std::string cards;
  for (const std::size_t i : documents) {
    const LabelledText& document = held_out[i];
    const std::string &attention = trial.by_attention[i], &ngrams = trial.by_ngrams[i];
    const auto said = [&](const std::string& name, const std::string& label, double sure) {
      return text(
          "<br/>", escaped(name),
          label == document.label ? ": <span class=\"right\">✓</span> " : ": <span class=\"wrong\">✗</span> ",
          escaped(label), ", ", fixed_text(100 * sure, 0), " % sure");
    };
    cards += "<div>" + words_of(document, trial.verdicts[i].word_weights, of_reviews) +
             "<p class=\"label\">" +
             escaped("right: " + document.label +
                     (of_reviews ? "; verdicts:\xC2\xA0" + counted_verdicts(document) : "")) +
             said("attention", attention, trial.attention_sure[i]) +
             (trial.without_places.empty()
                  ? ""
                  : said("no places", trial.without_places[i], trial.without_places_sure[i])) +
             said("n-grams", ngrams, trial.ngrams_sure[i]) + "</p></div>\n";
  }
  if (documents.empty())
    html.paragraph("None.");
  else
    html.markup("<div class=\"reviews\">" + cards + "</div>\n");
}

constexpr const char* style =
    "<style>.reviews{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:"
    "14px}.reviews>div{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px "
    "14px;break-inside:avoid}.reviews .review{margin:0}.reviews .label{margin:4px 0 0}.review "
    "b{font-weight:inherit;white-space:nowrap;padding:1px 4px;border-radius:5px;background:color-mix(in "
    "srgb,var(--accent) calc(var(--weight)*40%),transparent)}.review "
    "small{display:inline-block;margin-left:4px;font-size:12px}.review "
    "u{text-decoration-color:var(--soft);text-underline-offset:4px}</style>\n";

}  // namespace

std::string trial_page(const Trial& trial, bool of_reviews, const TrainingOptions& options) {
  Html html;
  html.markup(style).paragraph(
      of_reviews
          ? "Is a review of a film praise, complaint or neither? Reviews are sentences put together at "
            "random. Some praise or blame, and the last of these verdicts counts: \"the story was moving. "
            "the cast was dull.\" is a complaint, and \"the cast was shown in three cities.\" is neither."
          : "What is the label of a document?");
  html.terms(classifiers(of_reviews));
  for (const std::string& each : answers(trial, of_reviews)) html.paragraph(each);
  std::vector<std::pair<std::string, double>> shares{{"attention alone", trial.right.attention / 100}};
  if (!trial.without_places.empty()) shares.emplace_back("no places", trial.right.without_places / 100);
  shares.emplace_back("n-grams alone", trial.right.ngrams / 100);
  shares.emplace_back("both together", trial.right.both / 100);
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  html.bars(text("Share of ", grouped_text(static_cast<Index>(trial.verdicts.size())),
                 of_reviews ? " reviews that are right" : " documents that are right"),
            shares, true);
  const ResultTable table = table_of(trial);
  html.heading(2, "What each is worth").paragraph("Right, of all and of those with each label:");
  html.table(table.short_titles(), table.rows());
  html.heading(2, "Which words get most weight");
  html.paragraph(meaning_of_weights(of_reviews) +
                 " Words are shaded by their weights, which stand beside them. Where no word is shaded, none "
                 "has much more than the others. ✓ marks what is right.");
  html.markup(legend(of_reviews));
  for (const Sort* sort : {&only_attention, &attention_errs, &both_right}) {
    constexpr std::size_t most = 4;
    const std::vector<std::size_t> all = documents_of(trial, *sort);
    add_documents(html, trial, of_reviews,
                  text(sort->name, ", on ", grouped_text(static_cast<Index>(all.size())), " of ",
                       grouped_text(static_cast<Index>(trial.verdicts.size()))),
                  first_of(all, most, *sort, trial));
  }
  add_places_in_code(html, "classify",
                     {{"examples/classify/model.cpp", "the network"},
                      {"nn/attention/global.cpp", "the mean of all words by weights"},
                      {"examples/classify/ngrams.cpp", "n-grams"}});
  return html_page(question_of(of_reviews), counts_of(trial, of_reviews, options), html);
}
