// What a trial shows, in words and figures: for the terminal and for the page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gradual/nn/drawing/result_table.hpp>

#include "trial.hpp"

/// Whether a word stands right behind the one before it.
bool is_mark(const std::string& word);

/// Whether a word gets much more of the attention than others: a tenth, and three times an even share.
bool stands_out(std::size_t i, const std::vector<double>& weights);

/// The word with most weight.
std::size_t heard_most(const std::vector<double>& weights);

/// Sorts of documents, by whether attention and n-grams are right.
using Sort = bool (*)(bool attention, bool ngrams);
bool only_attention(bool attention, bool ngrams);
bool attention_errs(bool attention, bool ngrams);
bool both_right(bool attention, bool ngrams);

/// Those of a sort.
std::vector<std::size_t> documents_of(const Trial& trial, Sort is_of_sort);

/// Those that are easier to follow come first: one word decides by itself.
std::vector<std::size_t> easier_first(std::vector<std::size_t> documents, const Trial& trial);
std::vector<std::size_t> first_of(std::vector<std::size_t> documents, std::size_t most, const Trial& trial);

/// What each is worth and took, and the most that one answer to all is worth.
gradual::ResultTable table_of(const Trial& trial);

/// "Trained on 2,000 reviews, tested on 500 others"
std::string counts_of(const Trial& trial, bool of_reviews);

/// What the names of rows stand for.
std::string rows_of_table(const Trial& trial);

/// In how many of a hundred reviews with a verdict the last one has the word that attention hears most.
double last_verdict_heard(const Trial& trial);

/// "87.0 %"
std::string percent(double value);

/// What the figures say.
std::string answer(const Trial& trial, bool of_reviews);
