// Writing on, by chance.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/decoding/token_choice.hpp>
#include <gradual/nn/transformer/language_model.hpp>

namespace gradual {

/// The `length` tokens with which a model goes on from a prompt, each drawn from what the model expects after
/// those before it. The model sees the last max_length tokens of its configuration, as many as in training.
/// It should be in evaluation mode. Throws std::invalid_argument for an empty prompt, a negative length, bad
/// options, and when the model gives no token a probability.
std::vector<std::int32_t> continuation(const LanguageModel& model, const std::vector<std::int32_t>& prompt,
                                       Index length, const SamplingOptions& options, Random random);

}  // namespace gradual
