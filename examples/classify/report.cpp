#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <tuple>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/data/reviews.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/text/words.hpp>

#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"
#include "findings.hpp"
#include "verdict_weights.hpp"

using namespace gradual;

namespace {

std::string marked(const Opinion& opinion, const LabelledText& document) {
  return (opinion.said == document.label ? "✓ " : "✗ ") + opinion.said;
}

std::string sure(const Opinion& opinion) { return fixed_text(100 * opinion.sure, 0) + " %"; }

// The sentences of a review, a row for each, by what each model weighs them, and what it says.
std::string about_review(const LabelledText& review, const std::vector<Opinion>& opinions) {
  const std::string title = "sum of the words' weights";
  std::vector<std::vector<ResultTable::Cell>> rows;
  std::size_t widest = title.size();
  const auto add = [&](const std::string& name, const std::string& verdict, const auto& cell_of) {
    widest = std::max(widest, name.size());
    rows.push_back({name, verdict});
    for (const Opinion& each : opinions)
      if (each.weights) rows.back().emplace_back(cell_of(each));
  };
  for (const ReviewVerdict& each : sentences_of(review)) {
    const auto word = [&](std::size_t i) { return review.words.begin() + static_cast<std::ptrdiff_t>(i); };
    add(join_words({word(each.begin), word(each.end)}, Spacing::plain), each.label,
        [&](const Opinion& opinion) { return on_sentence(each, *opinion.weights); });
  }
  add("says", "", [&](const Opinion& each) { return marked(each, review); });
  add("sure", "", sure);
  std::vector<ResultTable::Column> columns{{"sentence", title, 0, "", widest},
                                           {"verdict", "verdict", 0, "", 9, "", true}};
  std::string others;
  for (const Opinion& each : opinions) {
    if (each.weights)
      columns.push_back({each.name, each.name, 2});
    else
      others += text(each.name, " weigh none and say ", marked(each, review), ", ", sure(each), " sure\n");
  }
  ResultTable table(columns);
  for (const auto& row : rows) table.add(row);
  return table.within(static_cast<std::size_t>(output_columns())).lines() + others;
}

// A document, its label, the words that stand out, and what each model says.
std::string about_document(const LabelledText& document, const std::vector<double>& weights,
                           const std::vector<Opinion>& opinions, const std::vector<std::string>& labels) {
  std::vector<std::string> heavy;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (stands_out(i, weights)) heavy.push_back(document.words[i] + " " + fixed_text(weights[i], 2));
  std::size_t widest = 0;
  for (const std::string& each : labels) widest = std::max(widest, each.size() + 2);
  std::vector<std::pair<std::string, std::string>> lines{
      {"right", document.label},
      {"most weight", heavy.empty() ? "no word has much more than others" : list_text(heavy, ", ")}};
  for (const Opinion& each : opinions)
    lines.emplace_back(each.name,
                       left_in(widest, marked(each, document)) + "  " + right_in(5, sure(each)) + " sure");
  return join_words(document.words, Spacing::plain) + "\n" + legend(lines);
}

// How many documents are of a sort, and what each says to the shortest of those that are decided in this way,
// or in any.
void print_example(const Sort& sort, WayToDecide way, const Trial& trial, bool of_reviews) {
  const std::vector<std::size_t> all = documents_of(trial, sort);
  if (all.empty()) return;
  const auto difficulty = [&](std::size_t i) {
    const LabelledText& document = trial.documents.held_out[i];
    return std::tuple(way_to_decide(document, trial.verdicts[i].word_weights) != way,
                      needs_places(trial, i) != sort.needs_places, document.words.size());
  };
  const std::size_t i = *std::min_element(
      all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return difficulty(a) < difficulty(b); });
  const LabelledText& document = trial.documents.held_out[i];
  const std::vector<Opinion> opinions = opinions_of(trial, i);
  std::cout << lines_for_output(
                   text("\n", sort.name, ", on ", grouped_text(static_cast<Index>(all.size())), " of ",
                        grouped_text(static_cast<Index>(trial.documents.held_out.size())), ":\n"))
            << with_marks_in_colour(
                   of_reviews ? about_review(document, opinions)
                              : lines_for_output(about_document(document, trial.verdicts[i].word_weights,
                                                                opinions, trial.labels)));
}

}  // namespace

std::string task_text(bool of_reviews) {
  const std::string examples = of_reviews ? ":\n\n" + legend(review_examples()) + "\n" : ".\n\n";
  return lines_for_output(question_of(of_reviews) + "\n\n" + task_of(of_reviews) + examples +
                          legend(classifiers(of_reviews)) + "\n" + how_words_are_weighed(of_reviews) + "\n");
}

void print_trial(const Trial& trial, bool of_reviews, const TrainingOptions& options) {
  std::cout << lines_for_output(counts_of(trial, of_reviews, options) + ":\n\n")
            << table_of(trial, false).within(static_cast<std::size_t>(output_columns())).lines() << "\n"
            << lines_for_output(in_short(trial, of_reviews) + "\n");
  if (of_reviews)
    if (const std::string where = where_weights_are(trial); !where.empty())
      std::cout << lines_for_output("\n" + where + "\n");
  print_example(only_attention, WayToDecide::negation, trial, of_reviews);
  print_example(attention_errs, WayToDecide::plain_word, trial, of_reviews);
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
       {std::pair("attention    ", summary.attention), std::pair("n-grams      ", summary.ngrams),
        std::pair("both together", summary.both)})
    std::printf("  %s  %5.2f ± %.2f %%\n", name, part.mean, part.spread);
}
