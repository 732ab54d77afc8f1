// What a subword model may hold that comes from a stranger.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/text/subwords.hpp>

namespace gradual {

/// Throws std::invalid_argument for bytes that are no ModelProto of SentencePiece, for one that tests itself,
/// and for what SentencePiece trusts, and reads beyond where it is damaged or overwhelms it: a map of
/// characters (precompiled_charsmap) that leads out of itself or back to itself, or names more than 32 texts
/// on a way or one of more than 1,024 bytes; a piece of more than 1,024 bytes; more than 64 pieces that a
/// user defined and that begin with one another.
void check_subword_model(const std::string& model);

/// The model with those pieces marked as single bytes, `<0x45>` for E: one flag for each piece, in their
/// order.
std::string with_byte_pieces(const std::string& model, const std::vector<bool>& are_bytes);

/// How the pieces of such a model were found. Throws std::invalid_argument for whole words, for letters, and
/// where single bytes spell what no piece does.
SubwordKind kind_of_subword_model(const std::string& model);

}  // namespace gradual
