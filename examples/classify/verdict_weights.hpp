// How much weight attention gives to the verdicts of a review, told places or not.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/data/reviews.hpp>

#include "trial.hpp"

/// The weight on the words of each verdict of a review, in their order.
std::vector<double> on_verdicts(const gradual::LabelledText& review, const std::vector<double>& weights);

/// All sentences of a review, in their order; the label of one that is no verdict is empty.
std::vector<gradual::ReviewVerdict> sentences_of(const gradual::LabelledText& review);

/// The weight on the words of a sentence.
double on_sentence(const gradual::ReviewVerdict& sentence, const std::vector<double>& weights);

/// "complaint, praise: the last one counts", "praise: the only verdict", or "no verdict: neither"
std::string which_counts(const gradual::LabelledText& review);

/// Where the weights are on average, over all reviews with several verdicts: on the last one and on the ones
/// before, told places and not. Empty where no review has several.
std::string where_weights_are(const Trial& trial);

/// Whether the weights are split between the last verdict and another one that says the opposite.
bool is_split(const gradual::LabelledText& review, const std::vector<double>& weights);

/// Whether the last verdict has more weight than any other, but about as much as all of these together, which
/// say the opposite, or less.
bool are_outweighed(const gradual::LabelledText& review, const std::vector<double>& weights);

/// Which verdict of a review counts, and what may explain that attention is wrong about it, where its weights
/// are split, or attention without places, where the last verdict is outweighed.
std::string about_verdicts(const Trial& trial, std::size_t i);
