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

// What each model says, below each other.
NamesAndMeanings sayings(const LabelledText& document, const std::vector<Opinion>& opinions,
                         const std::vector<std::string>& labels) {
  std::size_t widest = 0;
  for (const std::string& each : labels) widest = std::max(widest, each.size() + 2);
  NamesAndMeanings lines;
  for (const Opinion& each : opinions)
    lines.emplace_back(each.name,
                       left_in(widest, marked(each, document)) + "  " + right_in(5, sure(each)) + " sure");
  return lines;
}

// The sentences of a review, a row for each, by what each model weighs them.
std::string weights_of_sentences(const LabelledText& review, const std::vector<Opinion>& opinions) {
  constexpr double shown = 0.005;  // less would be 0.00
  std::vector<std::vector<ResultTable::Cell>> rows;
  std::size_t widest = 0;
  for (const ReviewVerdict& each : sentences_of(review)) {
    const auto word = [&](std::size_t i) { return review.words.begin() + static_cast<std::ptrdiff_t>(i); };
    const std::string sentence = join_words({word(each.begin), word(each.end)}, Spacing::plain);
    widest = std::max(widest, sentence.size());
    rows.push_back({sentence, each.label});
    for (const Opinion& opinion : opinions) {
      if (!opinion.weights) continue;
      const double weight = on_sentence(each, *opinion.weights);
      if (each.label.empty() && weight < shown)
        rows.back().emplace_back("–");
      else
        rows.back().emplace_back(weight);
    }
  }
  std::vector<ResultTable::Column> columns{{"sentence", "sentence", 0, "", widest},
                                           {"verdict", "verdict", 0, "", 9, "", true}};
  for (const Opinion& each : opinions)
    if (each.weights) columns.push_back({each.name, each.name, 2});
  ResultTable table(columns);
  for (const auto& row : rows) table.add(row);
  std::string lines = table.within(static_cast<std::size_t>(output_columns())).lines();
  if (const std::vector<ReviewVerdict> all = verdicts(review); !all.empty()) {  // the one that counts
    const std::string& label = all.back().label;
    if (const auto at = lines.rfind(" " + label + " "); at != std::string::npos)
      lines.replace(at + 1, label.size(),
                    in_colour(label, label == "praise" ? Colour::right : Colour::wrong));
  }
  return lines + "\n";
}

// The label of a document, and the words that stand out.
NamesAndMeanings about_document(const LabelledText& document, const std::vector<double>& weights) {
  std::vector<std::string> heavy;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (stands_out(i, weights)) heavy.push_back(document.words[i] + " " + fixed_text(weights[i], 2));
  return {{"right", document.label},
          {"most weight", heavy.empty() ? "no word has much more than others" : list_text(heavy, ", ")}};
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
  NamesAndMeanings lines = sayings(document, opinions, trial.labels);
  if (!of_reviews) {
    const NamesAndMeanings about = about_document(document, trial.verdicts[i].word_weights);
    lines.insert(lines.begin(), about.begin(), about.end());
  }
  std::cout << lines_for_output(text("\n", sort.name, ", on ", grouped_text(static_cast<Index>(all.size())),
                                     " of ",
                                     grouped_text(static_cast<Index>(trial.documents.held_out.size())),
                                     of_reviews ? ". Weights of sentences:\n" : ":\n"))
            << (of_reviews ? weights_of_sentences(document, opinions)
                           : lines_for_output(join_words(document.words, Spacing::plain) + "\n"))
            << with_marks_in_colour(lines_for_output(legend(lines)));
}

}  // namespace

std::string task_text(bool of_reviews, const NamesAndMeanings& names) {
  const std::string examples = of_reviews ? ":\n" + legend(review_examples()) + "\n" : ".\n\n";
  return lines_for_output(question_of(of_reviews) + "\n\n" + task_of(of_reviews) + examples +
                          how_words_are_weighed(of_reviews) + " Tried at it:\n" + legend(names));
}

void print_trial(const Trial& trial, bool of_reviews, const TrainingOptions& options) {
  std::cout << lines_for_output(counts_of(trial, of_reviews, options) + ":\n\n")
            << table_of(trial, of_reviews, false).within(static_cast<std::size_t>(output_columns())).lines()
            << "\n"
            << with_landmarks_strong(lines_for_output(in_short(trial, of_reviews) + "\n"));
  if (of_reviews)
    if (const std::string where = where_weights_are(trial); !where.empty())
      std::cout << lines_for_output("\nA sentence's weight is the sum of its words'. " + where + "\n");
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
