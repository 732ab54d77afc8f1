#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
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
      heard.push_back(document.words[i] + " " + fixed_text(weights[i], 2));
  return heard.empty() ? "hears no word much more than others" : "hears " + list_text(heard, ", ");
}

// What became of two votes when they were taken together.
std::string verdict_on_both(const Accuracies& right) {
  const double best = std::max(right.attention, right.ngrams);
  return right.both > best   ? "each knows something that the other does not"
         : right.both < best ? "here the worse of the two spoils the better one"
                             : "";
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

std::vector<std::size_t> first_of(std::vector<std::size_t> documents, std::size_t most) {
  documents.resize(std::min(documents.size(), most));
  return documents;
}

// The first of each label, for so many labels.
std::vector<std::size_t> first_of_labels(const std::vector<std::size_t>& documents, std::size_t most,
                                         const Trial& trial) {
  std::set<std::string> labels;
  std::vector<std::size_t> first;
  for (const std::size_t i : documents)
    if (first.size() < most && labels.insert(trial.documents.held_out[i].label).second) first.push_back(i);
  return first;
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

// What each is worth, and the most that one answer to all is worth.
ResultTable table_of(const Trial& trial) {
  const std::vector<LabelScore> scores = by_label(trial);
  std::vector<ResultTable::Column> columns{{"classifier", "", 0, "", 20},
                                           {"right", "right\non all", 1, " %"}};
  for (const LabelScore& each : scores)
    columns.push_back({each.label, each.label + "\nof " + grouped_text(each.documents), 1, " %"});
  ResultTable table(columns);
  const auto add = [&](const std::string& name, double Accuracies::*part) {
    std::vector<ResultTable::Cell> row{name, trial.right.*part};
    for (const LabelScore& each : scores) row.emplace_back(each.right.*part);
    table.add(row);
  };
  add("attention alone", &Accuracies::attention);
  if (!trial.without_places.empty()) add("the same, no places", &Accuracies::without_places);
  add("n-grams alone", &Accuracies::ngrams);
  add("both together", &Accuracies::both);
  const LabelScore& commonest =
      *std::max_element(scores.begin(), scores.end(),
                        [](const LabelScore& a, const LabelScore& b) { return a.documents < b.documents; });
  std::vector<ResultTable::Cell> row{
      "always " + commonest.label,
      100 * static_cast<double>(commonest.documents) / static_cast<double>(trial.verdicts.size())};
  for (const LabelScore& each : scores) row.emplace_back(&each == &commonest ? 100.0 : 0.0);
  table.add(row);
  return table;
}

// In how many of a hundred reviews with a verdict the last one has the word that attention hears most.
double last_verdict_heard(const Trial& trial) {
  double with_verdict = 0, heard = 0;
  for (std::size_t i = 0; i < trial.verdicts.size(); ++i) {
    const auto [begin, end] = last_verdict(trial.documents.held_out[i]);
    if (begin == end) continue;
    const std::vector<double>& weights = trial.verdicts[i].word_weights;
    const auto most =
        static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    ++with_verdict;
    heard += begin <= most && most < end ? 1 : 0;
  }
  return 100 * heard / std::max(with_verdict, 1.0);
}

// What the figures say.
std::string answer(const Trial& trial, bool of_reviews) {
  const Accuracies& right = trial.right;
  const auto percent = [](double value) { return fixed_text(value, 1) + " %"; };
  const double best = std::max(right.attention, right.ngrams);
  constexpr double clearly = 5;
  const bool order_counts = of_reviews && right.attention > right.ngrams + clearly;
  return text("attention ", percent(right.attention), ", n-grams ", percent(right.ngrams),
              order_counts ? ": n-grams know which verdicts there are, not which came last" : "",
              order_counts && right.attention > right.without_places + clearly
                  ? text("; nor does the same network, ", percent(right.without_places),
                         ", where it is not told the places of words")
                  : "",
              ".",
              of_reviews ? text(" Of the reviews with a verdict, in ", percent(last_verdict_heard(trial)),
                                " the word that attention hears most stands in the last one.")
                         : "",
              " Both together ", percent(right.both),
              right.both > best   ? ": each knows something that the other does not"
              : right.both < best ? ": the worse of the two spoils the better one"
                                  : "",
              ".\n");
}

}  // namespace

void print_trial(const Trial& trial, bool of_reviews) {
  const std::string documents = of_reviews ? "reviews" : "documents";
  const auto grouped = [](std::size_t count) { return grouped_text(static_cast<Index>(count)); };
  std::cout
      << in_lines(text("Trained on ", grouped(trial.documents.train.size()), " ", documents, ": attention ",
                       grouped_text(trial.parameters), " parameters in ",
                       fixed_text(trial.attention_seconds, 1), " s of CPU time, n-grams ",
                       grouped_text(trial.ngram_parameters), " in ", fixed_text(trial.ngram_seconds, 1),
                       " s.\n\nRight on ", grouped(trial.documents.held_out.size()), " other ", documents,
                       ", and on those of each label.",
                       trial.without_places.empty()
                           ? ""
                           : " \"The same, no places\" is trained like attention, and not told where "
                             "words stand.",
                       " \"Both together\" is the mean of the probabilities of attention and "
                       "n-grams:\n\n"))
      << table_of(trial).within(static_cast<std::size_t>(output_columns())).lines() << "\n"
      << in_lines("In short: " + answer(trial, of_reviews)) << "\n"
      << in_lines(
             "In brackets: the words that attention hears most; behind \"hears\" stand their weights. A "
             "word is heard with its neighbours, so \"not\" may stand for \"not dull\".\n");
  const auto print = [&](const std::string& sort, bool (*is_of_sort)(bool, bool), auto choose) {
    const std::vector<std::size_t> all = documents_of(trial, is_of_sort);
    print_documents(sort, all.size(), choose(all), trial);
  };
  const auto first = [](std::size_t most) {
    return [most](const std::vector<std::size_t>& all) { return first_of(all, most); };
  };
  print("Only attention is right,", only_attention, first(2));
  print("Attention is wrong,", attention_errs, first(1));
  print("Attention and n-grams are both right,", both_right,
        [&](const std::vector<std::size_t>& all) { return first_of_labels(all, 2, trial); });
  std::cout << std::endl;
}

namespace {

// Shaded by weight, in a line of text; a weight worth a look stands there when one points at its word.
std::string shaded(const std::vector<std::string>& words, const std::vector<double>& weights) {
  std::string html = "<p class=\"review\" dir=\"auto\">";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && !is_mark(words[i])) html += " ";
    if (!stands_out(i, weights)) {
      html += escaped(words[i]);
      continue;
    }
    html += text("<b style=\"--weight:", fixed_text(weights[i], 3), "\" title=\"", fixed_text(weights[i], 2),
                 "\">", escaped(words[i]), "</b>");
  }
  return html + "</p>\n";
}

// Some documents of a sort, and what both say to them.
void add_documents(Html& html, const Trial& trial, const std::string& heading,
                   const std::vector<std::size_t>& documents) {
  const Documents& held_out = trial.documents.held_out;
  html.heading(3, heading);
  std::string cards;
  for (const std::size_t i : documents) {
    const auto verdict = [&](const std::string& label) {
      return text(label, label == held_out[i].label ? " ✓" : " ✗");
    };
    const bool attention = trial.by_attention[i] == held_out[i].label,
               ngrams = trial.by_ngrams[i] == held_out[i].label;
    cards += "<div>" + shaded(held_out[i].words, trial.verdicts[i].word_weights) + "<p class=\"label\">" +
             escaped(text("attention: ", verdict(trial.by_attention[i]),
                          ", n-grams: ", verdict(trial.by_ngrams[i]),
                          attention || ngrams ? "" : ", right is " + held_out[i].label)) +
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
    "break-inside:avoid}.review{margin:0}.reviews .label{margin:4px 0 0}"
    ".review b{font-weight:inherit;padding:1px 4px;border-radius:5px;cursor:help;"
    "background:color-mix(in srgb,var(--accent) calc(var(--weight)*40%),transparent)}</style>\n";

// What came out, in a sentence or two.
std::string summary(const Trial& trial) {
  const Accuracies& right = trial.right;
  const auto percent = [](double value) { return fixed_text(value, 1) + " %"; };
  const std::string verdict = verdict_on_both(right);
  return text("Of ", trial.documents.held_out.size(), " documents that were not trained on, attention gets ",
              percent(right.attention), " right, a count of words and neighbours ", percent(right.ngrams),
              trial.without_places.empty() ? ""
                                           : text(", the same network ", percent(right.without_places),
                                                  " where it is not told the places of words"),
              ". The mean of both gets ", percent(right.both), verdict.empty() ? "" : ": " + verdict, ".");
}

}  // namespace

std::string trial_page(const Trial& trial, bool of_reviews, const std::string& subtitle) {
  const auto percent = [](double value) { return fixed_text(value, 1) + " %"; };
  Html html;
  html.markup(style).paragraph(text(
      of_reviews
          ? "The documents are made-up reviews of films, praise, complaint or neither. Reviewers change "
            "their minds: the last verdict counts. "
          : "",
      "Attention: a transformer knows the place of each word, and decides which to listen to. N-grams: a "
      "count of words and neighbours, wherever they stand. Both together: the mean of their "
      "probabilities, which can help where the two err on different documents."));
  html.paragraph(summary(trial));
  html.figures({{"right by attention alone", percent(trial.right.attention)},
                {"by n-grams alone", percent(trial.right.ngrams)},
                {"by both together", percent(trial.right.both)},
                {"documents", text(trial.documents.held_out.size())}});
  std::vector<std::vector<std::string>> rows;
  for (const LabelScore& score : by_label(trial))
    rows.push_back({score.label, text(score.documents), percent(score.right.attention),
                    percent(score.right.ngrams), percent(score.right.both)});
  html.table({"Label", "Documents", "Right by attention", "By n-grams", "By both"}, rows)
      .heading(2, "Which words were listened to");
  html.paragraph(
      "Words are shaded by the weight that attention gives them, from a tenth and three times an even share "
      "on; "
      "point at one to see it. Where no word is shaded, none got much more than the others. What was made of "
      "a word is another "
      "question: it is heard with its neighbours, so “not” may stand for “not dull”. ✓ is the right "
      "label.");
  add_documents(html, trial, "Only attention is right", first_of(documents_of(trial, only_attention), 8));
  add_documents(html, trial, "Attention is wrong", first_of(documents_of(trial, attention_errs), 8));
  add_documents(html, trial, "Both are right", first_of(documents_of(trial, both_right), 4));
  return html_page("What is this document?", subtitle, html);
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
