// How much weight attention gives to the verdicts of a review, told places or not.
#pragma once

#include <string>
#include <vector>

#include "trial.hpp"

/// The weight on the words of each verdict of a review, in their order.
std::vector<double> on_verdicts(const gradual::LabelledText& review, const std::vector<double>& weights);

/// "0.02, 0.97"; empty where there is no verdict.
std::string on_verdicts_text(const gradual::LabelledText& review, const std::vector<double>& weights);

/// "complaint, praise ← last", or "none"
std::string verdicts_text(const gradual::LabelledText& review);

/// Where the weights are on average, over all reviews with several verdicts: on the last one and on the ones
/// before, told places and not. Empty where no review has several.
std::string where_weights_are(const Trial& trial);

/// What may explain that attention is wrong about a review, where its weights show it: they are split between
/// two verdicts that say different things. Else empty.
std::string why_wrong(const gradual::LabelledText& review, const std::vector<double>& weights);
