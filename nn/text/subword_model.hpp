// What a subword model may hold that comes from a stranger.
#pragma once

#include <string>

#include <gradual/nn/text/subwords.hpp>

namespace gradual {

/// Throws std::invalid_argument for bytes that are no ModelProto of SentencePiece, for one that tests itself,
/// and for a map of characters (precompiled_charsmap) that leads out of itself: SentencePiece trusts it, and
/// reads beyond it where it is damaged.
void check_subword_model(const std::string& model);

/// How the pieces of such a model were found. Throws std::invalid_argument for whole words and for letters.
SubwordKind kind_of_subword_model(const std::string& model);

}  // namespace gradual
