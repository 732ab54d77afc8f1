// Sequences to remember from: what stood before decides what is right now.
#pragma once

#include <string>

#include <gradual/core/indices.hpp>
#include <gradual/core/random.hpp>

namespace gradual {

/// How many names there are (a, b, c, …) and how many values (0, 1, 2, …).
struct RecallSizes {
  Index names = 8, values = 10;  // how many different ones there are
};

/// Sequences of tokens, and what is to be said at each place.
struct RecallBatch {
  Indices input;     // [B, T] tokens
  Indices target;    // [B, T]; `nothing` where no answer is asked for
  Indices evidence;  // [B, T] the last place that holds the answer; `nothing` where none is asked for

  static constexpr std::int32_t nothing = -1;
};

/// Names and their values by turns, as "c 7 a 3 c 7 b 0 a 3": a name keeps its value through a sequence, and
/// the values are new for each. Asked for is the token after each name that stood before.
///
/// The answer lies one place behind the name that tells where to look, so finding it takes two steps (the
/// "induction" of Olsson et al. 2022). [B, 2·pairs] tokens: names are 0 … names - 1, values lie behind them.
/// Throws std::invalid_argument unless all sizes are positive and there are at most 26 names.
RecallBatch pairs_in_two(Index batch, Index pairs, const RecallSizes& sizes, Random random);

/// Names with their values in one token, and questions, as "c=7 a=3 c=1 b=0 c? a?": a name may get a new
/// value at any place. Asked for is, at each question, the last token that gave its name a value: "c=1".
///
/// One step finds the answer, but only for who knows which of a name's tokens is the last. [B, length]
/// tokens: name n with value v is n·(values + 1) + v, its question has v = values. Names are asked for only
/// when they have a value. Throws as pairs_in_two does.
RecallBatch pairs_in_one(Index batch, Index length, const RecallSizes& sizes, Random random);

/// A token of pairs_in_two ("c", "7"), and of pairs_in_one ("c=7", "c?"), for people.
std::string token_of_pairs_in_two(std::int32_t token, const RecallSizes& sizes);
std::string token_of_pairs_in_one(std::int32_t token, const RecallSizes& sizes);

}  // namespace gradual
