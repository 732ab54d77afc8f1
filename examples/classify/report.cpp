#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <set>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/data/reviews.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/text/words.hpp>

#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"

using namespace gradual;

namespace {

struct LabelScore {
  std::string label;
  Index documents = 0;
  Accuracies right;  // in per cent
};

std::vector<LabelScore> by_label(const Trial& trial) {
  std::vector<LabelScore> scores;
  for (const std::string& label : labels_of(trial.documents.held_out)) {
    LabelScore score{label, 0, {}};
    for (std::size_t i = 0; i < trial.verdicts.size(); ++i) {
      if (trial.documents.held_out[i].label != label) continue;
      ++score.documents;
      score.right.attention += trial.by_attention[i] == label ? 1 : 0;
      score.right.ngrams += trial.by_ngrams[i] == label ? 1 : 0;
      score.right.both += trial.label(i) == label ? 1 : 0;
      if (!trial.without_places.empty())
        score.right.without_places += trial.without_places[i] == label ? 1 : 0;
    }
    Accuracies& all = score.right;
    for (double* right : {&all.attention, &all.ngrams, &all.both, &all.without_places})
      *right *= 100 / static_cast<double>(score.documents);
    scores.push_back(score);
  }
  return scores;
}

// Whether a word stands right behind the one before it.
bool is_mark(const std::string& word) { return word == "." || word == "," || word == "?" || word == "!"; }

// Whether a word gets much more of the attention than others: a tenth, and three times an even share.
bool stands_out(std::size_t i, const std::vector<double>& weights) {
  return weights[i] >= std::max(0.1, 3 / static_cast<double>(weights.size()));
}

// The words that stand out; marks are none.
std::string heard_words(const LabelledText& document, const std::vector<double>& weights) {
  std::vector<std::string> heard;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (stands_out(i, weights) && !is_mark(document.words[i]))
      heard.push_back("\"" + document.words[i] + "\" " + fixed_text(weights[i], 2));
  return heard.empty() ? "hears no word much more than others" : "hears " + list_text(heard, ", ");
}

std::size_t heard_most(const std::vector<double>& weights) {
  return static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

// Whether one word decides by itself: it stands out, and no "not" turns it round.
bool hears_plain_word(const LabelledText& document, const std::vector<double>& weights) {
  const std::size_t most = heard_most(weights);
  return stands_out(most, weights) && document.words[most] != "not" &&
         (most == 0 || document.words[most - 1] != "not");
}

// Sorts of documents, by whether attention and n-grams are right.
bool only_attention(bool attention, bool ngrams) { return attention && !ngrams; }
bool attention_errs(bool attention, bool) { return !attention; }
bool both_right(bool attention, bool ngrams) { return attention && ngrams; }

// Those of a sort.
std::vector<std::size_t> documents_of(const Trial& trial, bool (*is_of_sort)(bool, bool)) {
  const Documents& held_out = trial.documents.held_out;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < held_out.size(); ++i)
    if (is_of_sort(trial.by_attention[i] == held_out[i].label, trial.by_ngrams[i] == held_out[i].label))
      found.push_back(i);
  return found;
}

// Those that are easier to follow come first.
std::vector<std::size_t> easier_first(std::vector<std::size_t> documents, const Trial& trial) {
  std::stable_partition(documents.begin(), documents.end(), [&](std::size_t i) {
    return hears_plain_word(trial.documents.held_out[i], trial.verdicts[i].word_weights);
  });
  return documents;
}

std::vector<std::size_t> first_of(std::vector<std::size_t> documents, std::size_t most, const Trial& trial) {
  documents.resize(std::min(documents.size(), most));
  return easier_first(documents, trial);
}

// The first of each label, for so many labels.
std::vector<std::size_t> first_of_labels(const std::vector<std::size_t>& documents, std::size_t most,
                                         const Trial& trial) {
  std::set<std::string> labels;
  std::vector<std::size_t> first;
  for (const std::size_t i : documents)
    if (first.size() < most && labels.insert(trial.documents.held_out[i].label).second) first.push_back(i);
  return easier_first(first, trial);
}

// Lines that end within 80 columns, or as many as the terminal has.
std::string in_lines(const std::string& text) {
  constexpr int usual = 80;
  const int columns = output_columns();
  return wrapped(text, columns > 0 ? columns : usual);
}

// The text, with the words that stand out in brackets.
std::string with_brackets(const LabelledText& document, const std::vector<double>& weights) {
  std::vector<std::string> words = document.words;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (stands_out(i, weights) && !is_mark(words[i])) words[i] = "[" + words[i] + "]";
  return join_words(words, Spacing::plain);
}

// A line of what one says: whether it is right, its label, and how sure it is.
std::string verdict_line(const std::string& name, const std::string& said, double sure,
                         const LabelledText& document, std::size_t widest) {
  return text("\n    ", left_in(9, name), said == document.label ? "  ✓ " : "  ✗ ", left_in(widest, said),
              "  ", right_in(3, fixed_text(100 * sure, 0)), " % sure");
}

// Some documents of a sort, and how many it has: what each says to them, and which words attention hears.
void print_documents(const std::string& sort, std::size_t of_sort, const std::vector<std::size_t>& documents,
                     const Trial& trial) {
  if (documents.empty()) return;
  std::size_t widest = 0;
  for (const std::string& each : trial.labels) widest = std::max(widest, each.size());
  std::cout << "\n"
            << sort << " on " << grouped_text(static_cast<Index>(of_sort)) << " of "
            << grouped_text(static_cast<Index>(trial.documents.held_out.size())) << ":\n";
  for (const std::size_t i : documents) {
    const LabelledText& document = trial.documents.held_out[i];
    const std::vector<double>& weights = trial.verdicts[i].word_weights;
    const std::string &attention = trial.by_attention[i], &ngrams = trial.by_ngrams[i];
    std::cout << (i == documents.front() ? "" : "\n")
              << with_marks_in_colour(in_lines(text(
                     "  ", with_brackets(document, weights),
                     verdict_line("attention", attention, trial.attention_sure[i], document, widest), ", ",
                     heard_words(document, weights),
                     verdict_line("n-grams", ngrams, trial.ngrams_sure[i], document, widest),
                     attention == document.label || ngrams == document.label ? ""
                                                                             : "; right is " + document.label,
                     "\n")));
  }
}

// What each is worth and took, and the most that one answer to all is worth.
ResultTable table_of(const Trial& trial) {
  const std::vector<LabelScore> scores = by_label(trial);
  std::vector<ResultTable::Column> columns{{"classifier", "", 0, "", 20},
                                           {"right", "all", 1, " %", 7, "right of"}};
  for (const LabelScore& each : scores)
    columns.push_back({each.label, grouped_text(each.documents) + "\n" + each.label, 1, " %", 7, "right of"});
  columns.push_back({"parameters", "parameters"});
  columns.push_back({"cpu_seconds", "CPU\ntime", 1, " s"});
  ResultTable table(columns);
  const auto add = [&](const std::string& name, double Accuracies::*part, const Cost& cost) {
    std::vector<ResultTable::Cell> row{name, trial.right.*part};
    for (const LabelScore& each : scores) row.emplace_back(each.right.*part);
    if (cost.parameters > 0) row.insert(row.end(), {cost.parameters, cost.seconds});
    row.resize(columns.size());
    table.add(row);
  };
  add("attention alone", &Accuracies::attention, trial.attention_cost);
  if (!trial.without_places.empty())
    add("the same, no places", &Accuracies::without_places, trial.without_places_cost);
  add("n-grams alone", &Accuracies::ngrams, trial.ngram_cost);
  add("both together", &Accuracies::both, {});
  const LabelScore& commonest =
      *std::max_element(scores.begin(), scores.end(),
                        [](const LabelScore& a, const LabelScore& b) { return a.documents < b.documents; });
  std::vector<ResultTable::Cell> row{
      "always " + commonest.label,
      100 * static_cast<double>(commonest.documents) / static_cast<double>(trial.verdicts.size())};
  for (const LabelScore& each : scores) row.emplace_back(&each == &commonest ? 100.0 : 0.0);
  row.resize(columns.size());
  table.add(row);
  return table;
}

// "Trained on 2,000 reviews, tested on 500 others"
std::string counts_of(const Trial& trial, bool of_reviews) {
  const auto grouped = [](std::size_t count) { return grouped_text(static_cast<Index>(count)); };
  return text("Trained on ", grouped(trial.documents.train.size()), of_reviews ? " reviews" : " documents",
              ", tested on ", grouped(trial.documents.held_out.size()), " others");
}

// What the names of rows stand for.
std::string rows_of_table(const Trial& trial) {
  return text(trial.without_places.empty() ? ""
                                           : "\"The same, no places\" is the network of attention, trained "
                                             "alike, but not told where words stand. ",
              "\"Both together\" is the mean of the probabilities of attention and n-grams");
}

// In how many of a hundred reviews with a verdict the last one has the word that attention hears most.
double last_verdict_heard(const Trial& trial) {
  double with_verdict = 0, heard = 0;
  for (std::size_t i = 0; i < trial.verdicts.size(); ++i) {
    const auto [begin, end] = last_verdict(trial.documents.held_out[i]);
    if (begin == end) continue;
    const std::size_t most = heard_most(trial.verdicts[i].word_weights);
    ++with_verdict;
    heard += begin <= most && most < end ? 1 : 0;
  }
  return 100 * heard / std::max(with_verdict, 1.0);
}

std::string percent(double value) { return fixed_text(value, 1) + " %"; }

// Whether the difference of two shares may be chance, and the larger of their standard errors.
std::string said_of_chance(double a, double b, double of) {
  return may_be_chance(a, b, of)
             ? ": the difference may be chance (standard error of each " +
                   fixed_text(std::max(standard_error(a, of), standard_error(b, of)), 1) + " points)"
             : "";
}

// What the figures say.
std::string answer(const Trial& trial, bool of_reviews) {
  constexpr double clearly = 5;
  const Accuracies& right = trial.right;
  const double best = std::max(right.attention, right.ngrams);
  if (!of_reviews)
    return text("attention ", percent(right.attention), ", n-grams ", percent(right.ngrams),
                ", both together ", percent(right.both),
                right.both > best   ? ": each knows something that the other does not"
                : right.both < best ? ": the worse of the two spoils the better one"
                                    : "",
                ".");
  const bool places_count = right.attention > std::max(right.without_places, right.ngrams) + clearly;
  return text(
      places_count ? "attention knows which verdict came last: " : "attention gets ",
      percent(right.attention), places_count ? "" : " right",
      ". The same network that is not told the places of words gets ", percent(right.without_places),
      ", n-grams get ", percent(right.ngrams),
      said_of_chance(right.without_places, right.ngrams, static_cast<double>(trial.verdicts.size())), ".",
      places_count ? " Without places, attention sees a bag of words, each with its neighbours." : "", " In ",
      percent(last_verdict_heard(trial)),
      " of the reviews with a verdict, the word that attention hears most stands in the last one.",
      right.both < right.attention ? " To vote with n-grams does it harm: " + percent(right.both) + "." : "");
}

}  // namespace

void print_trial(const Trial& trial, bool of_reviews) {
  std::cout
      << in_lines(text(counts_of(trial, of_reviews), ". ", rows_of_table(trial), ":\n\n"))
      << table_of(trial).within(static_cast<std::size_t>(output_columns())).lines() << "\n"
      << in_lines("In short: " + answer(trial, of_reviews) + "\n") << "\n"
      << in_lines(
             "In brackets: the words that attention listens to most; behind \"hears\" stand their weights. "
             "Each word is first mixed with its neighbours, so weight on \"not\" counts for \"not dull\"; "
             "the sum of all by their weights decides.\n");
  const auto print = [&](const std::string& sort, bool (*is_of_sort)(bool, bool), auto choose) {
    const std::vector<std::size_t> all = documents_of(trial, is_of_sort);
    print_documents(sort, all.size(), choose(all), trial);
  };
  const auto first = [&trial](std::size_t most) {
    return [most, &trial](const std::vector<std::size_t>& all) { return first_of(all, most, trial); };
  };
  print("Only attention is right,", only_attention, first(2));
  print("Attention is wrong,", attention_errs, first(1));
  print("Attention and n-grams are both right,", both_right,
        [&](const std::vector<std::size_t>& all) { return first_of_labels(all, 2, trial); });
  std::cout << std::endl;
}

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
      return text(name, label == document.label ? ": ✓ " : ": ✗ ", label, ", ", fixed_text(100 * sure, 0),
                  " % sure");
    };
    const bool known = attention == document.label || ngrams == document.label;
    cards += "<div>" + words_of(document, trial.verdicts[i].word_weights, of_reviews) +
             "<p class=\"label\">" + escaped(said("attention", attention, trial.attention_sure[i])) +
             "<br/>" +
             escaped(said("n-grams", ngrams, trial.ngrams_sure[i]) +
                     (of_reviews ? "; verdicts: " + counted_verdicts(document) : "") +
                     (known ? "" : "; right is " + document.label)) +
             "</p></div>\n";
  }
  if (documents.empty())
    html.paragraph("None.");
  else
    html.markup("<div class=\"reviews\">" + cards + "</div>\n");
}

constexpr const char* style =
    "<style>.reviews{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:"
    "14px}"
    ".reviews>div{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px 14px;"
    "break-inside:avoid}.reviews .review{margin:0}.reviews .label{margin:4px 0 0}"
    ".review b{font-weight:inherit;white-space:nowrap;padding:1px 4px;border-radius:5px;"
    "background:color-mix(in srgb,var(--accent) calc(var(--weight)*40%),transparent)}"
    ".review small{display:inline-block;margin-left:4px;font-size:12px}"
    ".review u{text-decoration-color:var(--soft);text-underline-offset:4px}</style>\n";

}  // namespace

std::string trial_page(const Trial& trial, bool of_reviews, const std::string& training) {
  Html html;
  html.markup(style).paragraph(text(
      of_reviews ? "Is a made-up review of a film praise, complaint or neither? Reviewers change their "
                   "minds, and the last verdict counts. "
                 : "",
      "Attention is told the place of each word, and decides which to listen to. N-grams are counts of words "
      "and of pairs of neighbours, wherever they stand."));
  html.paragraph("In short: " + answer(trial, of_reviews));
  std::vector<std::pair<std::string, std::string>> figures{
      {"right by attention", percent(trial.right.attention)}};
  if (!trial.without_places.empty())
    figures.emplace_back("by the same network without places", percent(trial.right.without_places));
  figures.emplace_back("by n-grams", percent(trial.right.ngrams));
  if (of_reviews)
    figures.emplace_back("of last verdicts have the word with most weight",
                         percent(last_verdict_heard(trial)));
  else
    figures.emplace_back("by both together", percent(trial.right.both));
  html.figures(figures);
  const ResultTable table = table_of(trial);
  html.heading(2, "What each is worth")
      .paragraph(rows_of_table(trial) + ".")
      .table(table.titles(), table.rows());
  html.heading(2, "Which words were listened to");
  html.paragraph(text(
      "Words are shaded by the weight that attention gives them, which stands beside them. Where no word is "
      "shaded, none got much more than the others. Each word is first mixed with its neighbours, so weight "
      "on "
      "\"not\" counts for \"not dull\"; the sum of all words by their weights decides. ✓ marks what is "
      "right.",
      of_reviews ? " N-grams count words and pairs, wherever they stand; behind what they say stands which "
                   "verdicts there are."
                 : ""));
  html.markup(legend(of_reviews));
  const auto add = [&](const std::string& heading, bool (*is_of_sort)(bool, bool), std::size_t most) {
    const std::vector<std::size_t> all = documents_of(trial, is_of_sort);
    add_documents(html, trial, of_reviews,
                  text(heading, ", on ", grouped_text(static_cast<Index>(all.size())), " of ",
                       grouped_text(static_cast<Index>(trial.verdicts.size()))),
                  first_of(all, most, trial));
  };
  add("Only attention is right", only_attention, 4);
  add("Attention is wrong", attention_errs, 4);
  add("Both are right", both_right, 4);
  return html_page(of_reviews ? "The last verdict counts" : "What is this document?",
                   counts_of(trial, of_reviews) + "; " + training, html);
}

Summary summary_of(const std::vector<Accuracies>& trials) {
  const auto over_trials = [&](double Accuracies::*part) {
    std::vector<double> figures;
    for (const Accuracies& trial : trials) figures.push_back(trial.*part);
    return mean_and_spread(figures);
  };
  return {over_trials(&Accuracies::attention), over_trials(&Accuracies::ngrams),
          over_trials(&Accuracies::both)};
}

void print_summary(const Summary& summary) {
  std::printf("\nright on documents that were not trained on, mean and standard deviation of the folds:\n");
  for (const auto& [name, part] :
       {std::pair("attention alone", summary.attention), std::pair("n-grams alone  ", summary.ngrams),
        std::pair("both together  ", summary.both)})
    std::printf("  %s  %5.2f ± %.2f %%\n", name, part.mean, part.spread);
}
