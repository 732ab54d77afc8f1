#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

#include "../terminal/colour.hpp"

using namespace gradual;

namespace {

struct LabelScore {
  std::string label;
  Index right = 0, all = 0;
  double percent() const { return 100.0 * static_cast<double>(right) / static_cast<double>(all); }
};

std::vector<LabelScore> by_label(const Trial& trial) {
  std::vector<LabelScore> scores;
  for (const std::string& label : labels_of(trial.documents.held_out)) {
    scores.push_back({label});
    for (std::size_t i = 0; i < trial.verdicts.size(); ++i) {
      if (trial.documents.held_out[i].label != label) continue;
      ++scores.back().all;
      scores.back().right += trial.label(i) == label ? 1 : 0;
    }
  }
  return scores;
}

// The words that a tenth of the attention or more goes to.
std::string heard_words(const LabelledText& document, const std::vector<double>& weights) {
  std::vector<std::string> heard;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] >= 0.1) heard.push_back(document.words[i] + " " + fixed_text(weights[i], 2));
  return heard.empty() ? "no word much more than others" : list_text(heard, ", ");
}

}  // namespace

void print_trial(const Trial& trial) {
  const Documents& held_out = trial.documents.held_out;
  std::printf("trained on %zu documents, CPU time %.1f s, %lld parameters\n\n", trial.documents.train.size(),
              trial.cpu_seconds, static_cast<long long>(trial.parameters));
  std::printf("right on %zu documents that were not trained on:\n", held_out.size());
  std::printf("  attention alone  %5.1f %%   decides which words to listen to\n", trial.right.attention);
  std::printf("  n-grams alone    %5.1f %%   count words and neighbours, wherever\n", trial.right.ngrams);
  std::printf("  both together    %5.1f %%   mean of their probabilities\n", trial.right.both);
  std::printf("\nboth together, by label:\n");
  for (const LabelScore& score : by_label(trial))
    std::printf("  %-15s  %5.1f %% of %lld\n", score.label.c_str(), score.percent(),
                static_cast<long long>(score.all));
  std::printf("\nwhich words decided, with the weight that attention gives them:\n");
  for (std::size_t i = 0; i < std::min<std::size_t>(6, held_out.size()); ++i)
    std::cout << with_marks_in_colour(wrapped_for_output(
        text("  ", trial.label(i) == held_out[i].label ? "✓ " : "✗ ", list_text(held_out[i].words), "\n    ",
             trial.label(i), ", ", fixed_text(100 * trial.probability(i), 0),
             " %: ", heard_words(held_out[i], trial.verdicts[i].word_weights), "\n")));
}

std::string trial_page(const Trial& trial, const std::string& subtitle) {
  const Documents& held_out = trial.documents.held_out;
  const auto percent = [](double value) { return fixed_text(value, 1) + " %"; };
  Html html;
  html.paragraph(
      "Reviewers change their minds: the last verdict counts. Attention: a transformer reads the words in "
      "order, and decides which to listen to. N-grams: "
      "a count of words and neighbours, wherever they stand. None of these documents was trained on.");
  html.figures({{"right by attention alone", percent(trial.right.attention)},
                {"by n-grams alone", percent(trial.right.ngrams)},
                {"by both together", percent(trial.right.both)},
                {"documents", text(held_out.size())}});
  std::vector<std::vector<std::string>> rows;
  for (const LabelScore& score : by_label(trial))
    rows.push_back({score.label, text(score.all), percent(score.percent())});
  html.table({"Label", "Documents", "Right by both"}, rows).heading(2, "Which words decided");
  html.paragraph(
      "Words are shaded by the weight that attention gives them. It says what was listened to, not what was "
      "made of it: a word is heard with its neighbours, so \"not\" may stand for \"not dull\".");
  for (const bool right : {true, false}) {
    html.heading(3, right ? "Right together" : "Wrong together");
    int shown = 0;
    for (std::size_t i = 0; i < held_out.size() && shown < 12; ++i) {
      if ((held_out[i].label == trial.label(i)) != right) continue;
      ++shown;
      const std::string &attention = trial.by_attention[i], &ngrams = trial.by_ngrams[i];
      html.weighted_words(
          text(trial.label(i), right ? "" : " instead of " + held_out[i].label, ", ",
               percent_text(trial.probability(i), 0),
               attention == ngrams ? "" : "; attention: " + attention + ", n-grams: " + ngrams),
          held_out[i].words, trial.verdicts[i].word_weights);
    }
    if (shown == 0) html.paragraph("None.");
  }
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
