// What a trial shows, in words and figures: for the terminal and for the page.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/drawing/result_table.hpp>

#include "../terminal/legend.hpp"
#include "trial.hpp"

/// Whether a word stands right behind the one before it.
bool is_mark(const std::string& word);

/// Whether a word gets much more of the attention than others: a tenth, and three times an even share.
bool stands_out(std::size_t i, const std::vector<double>& weights);

/// The word with most weight.
std::size_t heaviest(const std::vector<double>& weights);

/// What stands out, if anything: a word that stands for itself, or one that a "not" turns round.
enum class WayToDecide { plain_word, negation, no_word };
WayToDecide way_to_decide(const gradual::LabelledText& document, const std::vector<double>& weights);

/// Documents by whether attention and n-grams are right; and whether those shown first are such that
/// attention says something else where it is not told the places.
struct Sort {
  const char* name;
  bool (*holds)(bool attention, bool ngrams);
  bool needs_places;
};
extern const Sort only_attention, attention_errs, both_right;

/// Whether attention says something else where it is not told the places; false where that was not tried.
bool needs_places(const Trial& trial, std::size_t i);

/// Those of a sort.
std::vector<std::size_t> documents_of(const Trial& trial, const Sort& sort);

/// So many of them: first those that are easier to follow, where one word decides by itself, and one of
/// another way at least, where there is any.
std::vector<std::size_t> first_of(std::vector<std::size_t> documents, std::size_t most, const Sort& sort,
                                  const Trial& trial);

/// What one says of a document, how sure it is, and the weights it gives the words, if it does.
struct Opinion {
  std::string name, said;
  double sure;
  const std::vector<double>* weights;
};
/// What attention says, attention without places where that was tried, and n-grams.
std::vector<Opinion> opinions_of(const Trial& trial, std::size_t i);

/// The label that most documents have, and in how many of a hundred it is right.
std::pair<std::string, double> best_single_answer(const Documents& tested);

/// What each is worth, and what can be had without learning; with its costs, also what each took.
gradual::ResultTable table_of(const Trial& trial, bool of_reviews, bool with_costs);

/// What the trial asks.
std::string question_of(bool of_reviews);

/// What is to be told of a document, without a full stop.
std::string task_of(bool of_reviews);

/// Reviews, and what is to be told of them.
NamesAndMeanings review_examples();

/// "review", or "document"
std::string noun_of(bool of_reviews);

/// "Trained on 2,000 reviews, each seen 12 times (seed 1), and tested on 500 others"
std::string counts_of(const Trial& trial, bool of_reviews, const TrainingOptions& options);

/// The names of those who learn, and what they stand for.
NamesAndMeanings classifiers(bool of_reviews);

/// The same with what can be had without learning: the names of all rows.
NamesAndMeanings all_tried(bool of_reviews, const Documents& tested);

/// How attention comes to the weight of a word.
std::string how_words_are_weighed(bool of_reviews);

/// In how many of a hundred reviews with a verdict the last one has the word with most weight.
double weight_on_last_verdict(const Trial& trial);

/// In how many of a hundred reviews the label is that of most verdicts; a draw counts half.
double right_by_majority(const Documents& reviews);

/// "87.0 %"
std::string percent(double value);

/// The answer to the question, and what counting verdicts is worth.
std::string in_short(const Trial& trial, bool of_reviews);

/// What it is worth to average attention with n-grams; empty where attention is no better than the mean.
std::string about_average(const Trial& trial);

/// In how many reviews attention looks at the last verdict.
std::string about_last_verdict(const Trial& trial);

/// What the parameters of attention buy, beside those of n-grams.
std::string worth_of_parameters(const Trial& trial);
