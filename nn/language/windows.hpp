// Windows on a long text: what a language model is trained and tested on.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/transformer/language_model.hpp>

namespace gradual {

/// Pieces of a text, [B, T]: `output` is `input` one token further on.
struct TextWindows {
  Indices input, output;  // a text, and the same one token further on
};

/// `count` windows of `length` tokens, each of which begins anywhere. Throws std::invalid_argument unless the
/// text is longer than a window and both numbers are positive.
TextWindows random_windows(const std::vector<std::int32_t>& tokens, Index count, Index length, Random random);

/// The mean cross-entropy (nats a token) of a text that is cut into windows of `length` tokens, one after the
/// other: every token but the first is predicted once, from those before it in its window. The model should
/// be in evaluation mode. Throws std::invalid_argument for fewer than two tokens or a length that is not
/// positive.
double text_loss(const LanguageModel& model, const std::vector<std::int32_t>& tokens, Index length);

}  // namespace gradual
