// Choosing a token by chance, from nothing but logits.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// A token that may come next.
struct TokenProbability {
  std::int32_t token;  ///< the word
  double probability;  ///< that it comes next
};

/// How adventurous a choice may be.
struct SamplingOptions {
  double temperature = 1;  ///< logits are divided by it: below 1 the likely get likelier
  Index top_k = 0;         ///< only so many of the likeliest (Fan, Lewis and Dauphin 2018); 0: all
  double top_p = 1;        ///< of these only the fewest that reach this probability (Holtzman et al. 2020)

  /// Throws std::invalid_argument unless temperature > 0, top_k >= 0 and 0 < top_p <= 1.
  void check() const;
};

/// The tokens among which a choice is made, the likeliest first (of equal ones the lower), with probabilities
/// that sum to 1: softmax(logits / temperature), cut to the top k and then to the top p. Without the tokens
/// `excluded`. Empty when a logit is ∞ or not a number, or all are -∞.
std::vector<TokenProbability> choices(const Real* logits, Index vocabulary, const SamplingOptions& options,
                                      const std::vector<std::int32_t>& excluded = {});

/// One of the choices by its probability; -1 when there are none.
std::int32_t choose_token(const Real* logits, Index vocabulary, const SamplingOptions& options,
                          Random& random, const std::vector<std::int32_t>& excluded = {});

}  // namespace gradual
