#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <set>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/text/words.hpp>

#include "../terminal/colour.hpp"

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
    }
    for (double* right : {&score.right.attention, &score.right.ngrams, &score.right.both})
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
  return heard.empty() ? "no word much more than others" : list_text(heard, ", ");
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

// What attention says to each by itself, and what it listens to.
void print_documents(const std::string& heading, const std::vector<std::size_t>& documents,
                     const Trial& trial) {
  if (documents.empty()) return;
  std::cout << "\n" << heading << ":\n";
  for (const std::size_t i : documents) {
    const LabelledText& document = trial.documents.held_out[i];
    const std::string& said = trial.by_attention[i];
    const bool right = said == document.label;
    std::cout << with_marks_in_colour(
        wrapped_for_output(text("  ", right ? "✓ " : "✗ ", join_words(document.words, Spacing::plain),
                                "\n    ", said, ", ", fixed_text(100 * trial.attention_sure[i], 0),
                                " %: ", heard_words(document, trial.verdicts[i].word_weights),
                                !right                       ? "; right is " + document.label
                                : trial.by_ngrams[i] != said ? "; n-grams say " + trial.by_ngrams[i]
                                                             : "",
                                "\n")));
  }
  std::cout << std::flush;
}

}  // namespace

void print_trial(const Trial& trial) {
  const Documents& held_out = trial.documents.held_out;
  std::printf("trained on %s documents, CPU time %.1f s, %s parameters\n\n",
              grouped_text(static_cast<Index>(trial.documents.train.size())).c_str(), trial.cpu_seconds,
              grouped_text(trial.parameters).c_str());
  std::printf("right on %zu documents that were not trained on:\n", held_out.size());
  std::printf("  attention alone  %5.1f %%   decides which words to listen to\n", trial.right.attention);
  std::printf("  n-grams alone    %5.1f %%   count words and neighbours, wherever\n", trial.right.ngrams);
  std::printf("  both together    %5.1f %%   mean of their probabilities\n", trial.right.both);
  if (const std::string verdict = verdict_on_both(trial.right); !verdict.empty())
    std::printf("  %s\n", verdict.c_str());
  std::printf("\nboth together, by label:\n");
  for (const LabelScore& score : by_label(trial))
    std::printf("  %-15s  %5.1f %% of %lld\n", score.label.c_str(), score.right.both,
                static_cast<long long>(score.documents));
  std::printf(
      "\nwhich words attention listens to, with the weight of each, and what it says by\n"
      "itself. A word is heard with its neighbours, so \"not\" may stand for \"not dull\".\n");
  print_documents("only attention is right", first_of(documents_of(trial, only_attention), 2), trial);
  print_documents("attention is wrong", first_of(documents_of(trial, attention_errs), 1), trial);
  print_documents("both are right", first_of_labels(documents_of(trial, both_right), 2, trial), trial);
  std::printf("\n");
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
              ". The mean of both gets ", percent(right.both), verdict.empty() ? "" : ": " + verdict, ".");
}

}  // namespace

std::string trial_page(const Trial& trial, bool of_reviews, const std::string& subtitle) {
  const auto percent = [](double value) { return fixed_text(value, 1) + " %"; };
  Html html;
  html.markup(style).paragraph(
      text(of_reviews
               ? "The documents are made-up reviews of films, praise, complaint or neither. Reviewers change "
                 "their minds: the last verdict counts. "
               : "",
           "Attention: a transformer reads the words in order, and decides which to listen to. N-grams: a "
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
