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

constexpr const char* no_break = "\xC2\xA0";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// The text, with the words that stand out in brackets with their weights, where no line may end, and the last
// verdict of a review between quotation marks.
std::string with_brackets(const LabelledText& document, const std::vector<double>& weights, bool of_reviews) {
  std::vector<std::string> words = document.words;
  const auto [begin, end] = of_reviews ? last_verdict(document) : std::pair(words.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    if (stands_out(i, weights) && !is_mark(words[i]))
      words[i] = "[" + words[i] + no_break + fixed_text(weights[i], 2) + "]";
  if (begin == end) return join_words(words, Spacing::plain);
  const auto part = [&](std::size_t from, std::size_t to) {
    const auto at = [&](std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); };
    return join_words({at(from), at(to)}, Spacing::plain);
  };
  return text(part(0, begin), begin > 0 ? " " : "", "»", part(begin, end), "«", end < words.size() ? " " : "",
              part(end, words.size()));
}

// A line of what one says: whether it is right, its label, and how sure it is.
std::string verdict_line(const std::string& name, const std::string& said, double sure,
                         const LabelledText& document, std::size_t widest, std::size_t widest_name) {
  return text("\n    ", left_in(widest_name, name), said == document.label ? "  ✓ " : "  ✗ ",
              left_in(widest, said), "  ", right_in(3, fixed_text(100 * sure, 0)), " % sure");
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
  std::size_t widest = 0;
  for (const std::string& each : trial.labels) widest = std::max(widest, each.size());
  const LabelledText& document = trial.documents.held_out[i];
  const std::vector<double>& weights = trial.verdicts[i].word_weights;
  const std::string &attention = trial.by_attention[i], &ngrams = trial.by_ngrams[i];
  const bool known = attention == document.label || ngrams == document.label;
  const bool tried = !trial.without_places.empty();
  const std::size_t name = std::string(tried ? "without places" : "attention").size();
  const auto weights_of = [&](const std::vector<double>& its) {
    const std::string on = of_reviews ? on_verdicts_text(document, its) : "";
    return on.empty() ? "" : ", weights " + on;
  };
  const std::string why =
      of_reviews && attention != document.label ? why_wrong(document, weights) : std::string();
  const std::string lines = text(
      "\n", sort.name, ", on ", grouped_text(static_cast<Index>(all.size())), " of ",
      grouped_text(static_cast<Index>(trial.documents.held_out.size())), ":\n  ",
      with_brackets(document, weights, of_reviews),
      of_reviews ? "\n    verdicts: " + verdicts_text(document)
      : known    ? ""
                 : "\n    right is " + document.label,
      verdict_line("attention", attention, trial.attention_sure[i], document, widest, name),
      weights_of(weights),
      way_to_decide(document, weights) == WayToDecide::no_word ? ", no word has much more weight than others"
                                                               : "",
      tried ? verdict_line("without places", trial.without_places[i], trial.without_places_sure[i], document,
                           widest, name) +
                  weights_of(trial.without_places_weights[i])
            : "",
      verdict_line("n-grams", ngrams, trial.ngrams_sure[i], document, widest, name), "\n",
      why.empty() ? "" : "  " + why + "\n");
  std::cout << with_marks_in_colour(replaced(lines_for_output(lines), no_break, " "));
}

}  // namespace

std::string task_text(bool of_reviews) {
  const std::string lines =
      of_reviews ? "The task: is a review of a film praise, complaint or neither? Reviews are sentences put "
                   "together at random. Some praise or blame, and the last of these verdicts counts:\n\n"
                   "  the story was moving. the cast was dull.  →  complaint\n"
                   "  the cast was shown in three cities.       →  neither\n\n"
                 : "The task: tell the label of a document.\n\n";
  return lines_for_output(question_of(of_reviews) + "\n\n" + lines + legend(classifiers(of_reviews)));
}

void print_trial(const Trial& trial, bool of_reviews, const TrainingOptions& options) {
  std::cout << lines_for_output(counts_of(trial, of_reviews, options) + ":\n\n")
            << table_of(trial).within(static_cast<std::size_t>(output_columns())).lines() << "\n";
  for (const std::string& each : answers(trial, of_reviews)) std::cout << lines_for_output(each + "\n\n");
  std::cout << lines_for_output(
      meaning_of_weights(of_reviews) + " In brackets: the words that attention gives most weight to." +
      (of_reviews ? " Between » and «: the last verdict. Behind what attention says, told places "
                    "and not: its weights on the verdicts, in their order."
                  : "") +
      "\n");
  print_example(only_attention, WayToDecide::negation, trial, of_reviews);
  print_example(attention_errs, WayToDecide::plain_word, trial, of_reviews);
  print_example(both_right, WayToDecide::plain_word, trial, of_reviews);
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
