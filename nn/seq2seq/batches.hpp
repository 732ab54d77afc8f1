// Sentences of like length, put together into batches.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/seq2seq/encoded_pairs.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// The source side of the sentences `rows`, filled up with padding, each with an end token.
SourceBatch make_source_batch(const std::vector<std::vector<std::int32_t>>& sentences);
/// Both sides of the pairs `rows`.
TranslationBatch make_batch(const std::vector<EncodedPair>& pairs, const std::vector<Index>& rows);
TranslationBatch make_batch(const EncodedPairs& pairs, const std::vector<Index>& rows);

/// The tokens that a pair takes of a batch: those of its longer side, and the end token.
Index tokens_in_batch(const EncodedPair& pair);

/// All pairs once, in batches of at most `max_tokens` tokens, padding included, that hold pairs of like
/// length; both what stands together and the order of the batches are new for each random stream. Throws
/// std::invalid_argument when there are no pairs or a pair alone has more than `max_tokens`.
std::vector<std::vector<Index>> batches_of_like_length(const std::vector<EncodedPair>& pairs,
                                                       Index max_tokens, Random random);
std::vector<std::vector<Index>> batches_of_like_length(const EncodedPairs& pairs, Index max_tokens,
                                                       Random random);

}  // namespace gradual
