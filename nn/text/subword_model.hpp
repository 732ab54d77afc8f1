// What a subword model may hold that comes from a stranger.
#pragma once

#include <string>

namespace gradual {

/// Throws std::invalid_argument for bytes that are no ModelProto of SentencePiece, or one with more than
/// train_subwords() writes: SentencePiece trusts a map of characters (precompiled_charsmap) and reads beyond
/// it where it is damaged.
void check_subword_model(const std::string& model);

}  // namespace gradual
