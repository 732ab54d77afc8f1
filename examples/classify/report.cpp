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
  const std::vector<double>& weights = trial.verdicts[i].word_weights;
  const std::vector<Opinion> opinions = opinions_of(trial, i);
  std::size_t widest_name = 0, widest_label = 0;
  for (const Opinion& each : opinions) widest_name = std::max(widest_name, each.name.size());
  for (const std::string& each : trial.labels) widest_label = std::max(widest_label, each.size());
  const auto knows = [&](const Opinion& each) { return each.said == document.label; };
  std::string lines = text("\n", sort.name, ", on ", grouped_text(static_cast<Index>(all.size())), " of ",
                           grouped_text(static_cast<Index>(trial.documents.held_out.size())), ":\n  ",
                           with_brackets(document, weights, of_reviews), "\n");
  if (of_reviews)
    lines += "    " + about_verdicts(trial, i) + "\n";
  else if (std::none_of(opinions.begin(), opinions.end(), knows))
    lines += "    right is " + document.label + "\n";
  for (const Opinion& each : opinions) {
    const std::string on =
        of_reviews && each.weights ? on_verdicts_text(document, *each.weights) : std::string();
    lines += text("    ", left_in(widest_name, each.name), knows(each) ? "  ✓ " : "  ✗ ",
                  left_in(widest_label, each.said), "  ", right_in(3, fixed_text(100 * each.sure, 0)),
                  " % sure", on.empty() ? "" : ", weights " + on, "\n");
  }
  if (way_to_decide(document, weights) == WayToDecide::no_word)
    lines += "  No word has much more weight than others.\n";
  std::cout << with_marks_in_colour(replaced(lines_for_output(lines), no_break, " "));
}

}  // namespace

std::string task_text(bool of_reviews) {
  const std::string examples = of_reviews ? ":\n\n"
                                            "  the story was moving. the cast was dull.  →  complaint\n"
                                            "  the cast was shown in three cities.       →  neither\n\n"
                                          : ".\n\n";
  return lines_for_output(question_of(of_reviews) + "\n\n" + task_of(of_reviews) + examples +
                          legend(classifiers(of_reviews)));
}

void print_trial(const Trial& trial, bool of_reviews, const TrainingOptions& options) {
  std::cout << lines_for_output(counts_of(trial, of_reviews, options) + ":\n\n")
            << table_of(trial).within(static_cast<std::size_t>(output_columns())).lines() << "\n"
            << lines_for_output(in_short(trial, of_reviews) + "\n\n");
  const std::string of_word = "a word and its weight; its neighbours share in it";
  std::vector<std::pair<std::string, std::string>> marks{{"[word 0.96]", of_word}};
  if (of_reviews) {
    if (const std::string where = where_weights_are(trial); !where.empty())
      std::cout << lines_for_output(where + "\n\n");
    marks = {{"[not 0.96]", of_word + ": \"not boring\""},
             {"»…«", "the last verdict; \"weights\" are those on each verdict, in order"}};
  }
  std::cout << lines_for_output(legend(marks));
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
