#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <set>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/text/words.hpp>

#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"
#include "findings.hpp"

using namespace gradual;

namespace {

// The words that stand out; marks are none.
std::string heard_words(const LabelledText& document, const std::vector<double>& weights) {
  std::vector<std::string> heard;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (stands_out(i, weights) && !is_mark(document.words[i]))
      heard.push_back("\"" + document.words[i] + "\" " + fixed_text(weights[i], 2));
  return heard.empty() ? "hears no word much more than others" : "hears " + list_text(heard, ", ");
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
  const auto print = [&](const std::string& sort, Sort is_of_sort, auto choose) {
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
