#include <gradual/nn/seq2seq/batches.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/vocabulary.hpp>

namespace gradual {
namespace {

using Ids = std::vector<std::int32_t>;

// Rows of different lengths as one table [B, longest], filled up.
Indices padded(const std::vector<Ids>& rows, std::int32_t filling = Vocabulary::pad) {
  std::size_t longest = 0;
  for (const Ids& row : rows) longest = std::max(longest, row.size());
  Ids table(rows.size() * longest, filling);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy(rows[i].begin(), rows[i].end(), table.begin() + static_cast<Index>(i * longest));
  return {Shape{static_cast<Index>(rows.size()), static_cast<Index>(longest)}, std::move(table)};
}

Ids with_end(Ids ids) {
  ids.push_back(Vocabulary::eos);
  return ids;
}

Ids with_begin(Ids ids) {
  ids.insert(ids.begin(), Vocabulary::bos);
  return ids;
}

Index tokens_in_batch(Index source, Index target) { return std::max(source, target) + 1; }

std::vector<std::vector<Index>> batches_of(const std::vector<std::int32_t>& lengths, Index max_tokens,
                                           Random random) {
  if (lengths.empty()) throw std::invalid_argument("batches: there must be at least one pair");
  // Shuffled first, so that pairs of one length stand together differently each time.
  std::vector<Index> order = random.permutation(static_cast<Index>(lengths.size()));
  const auto length_at = [&](Index row) -> Index { return lengths[static_cast<std::size_t>(row)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return length_at(a) < length_at(b); });

  std::vector<std::vector<Index>> batches;
  for (Index row : order) {
    if (length_at(row) > max_tokens)
      throw std::invalid_argument(text("batches: each pair must fit a batch: a pair has ", length_at(row),
                                       " tokens, a batch ", max_tokens));
    // Sorted by length: this pair is the longest of its batch so far.
    if (batches.empty() || static_cast<Index>(batches.back().size() + 1) * length_at(row) > max_tokens)
      batches.emplace_back();
    batches.back().push_back(row);
  }
  std::vector<std::vector<Index>> shuffled;
  for (Index batch : random.permutation(static_cast<Index>(batches.size())))
    shuffled.push_back(std::move(batches[static_cast<std::size_t>(batch)]));
  return shuffled;
}

}  // namespace

Index tokens_in_batch(const EncodedPair& pair) {
  return tokens_in_batch(static_cast<Index>(pair.source.size()), static_cast<Index>(pair.target.size()));
}

SourceBatch make_source_batch(const std::vector<Ids>& sentences) {
  std::vector<Ids> rows;
  Ids lengths;
  for (const Ids& sentence : sentences) {
    rows.push_back(with_end(sentence));
    lengths.push_back(static_cast<std::int32_t>(rows.back().size()));
  }
  return {padded(rows), {Shape{static_cast<Index>(rows.size())}, std::move(lengths)}};
}

TranslationBatch make_batch(const std::vector<EncodedPair>& pairs, const std::vector<Index>& rows) {
  std::vector<Ids> sources, inputs, outputs;
  for (Index row : rows) {
    const EncodedPair& pair = pairs[static_cast<std::size_t>(row)];
    sources.push_back(pair.source);
    inputs.push_back(with_begin(pair.target));
    outputs.push_back(with_end(pair.target));
  }
  return {make_source_batch(sources), padded(inputs), padded(outputs, TranslationBatch::nothing)};
}

TranslationBatch make_batch(const EncodedPairs& pairs, const std::vector<Index>& rows) {
  std::vector<EncodedPair> chosen;
  for (const Index row : rows) chosen.push_back(pairs[row]);
  std::vector<Index> all(rows.size());
  std::iota(all.begin(), all.end(), Index(0));
  return make_batch(chosen, all);
}

std::vector<std::vector<Index>> batches_of_like_length(const std::vector<EncodedPair>& pairs,
                                                       Index max_tokens, Random random) {
  std::vector<std::int32_t> lengths;
  for (const EncodedPair& pair : pairs) lengths.push_back(static_cast<std::int32_t>(tokens_in_batch(pair)));
  return batches_of(lengths, max_tokens, random);
}

std::vector<std::vector<Index>> batches_of_like_length(const EncodedPairs& pairs, Index max_tokens,
                                                       Random random) {
  std::vector<std::int32_t> lengths;
  for (Index row = 0; row < pairs.size(); ++row)
    lengths.push_back(
        static_cast<std::int32_t>(tokens_in_batch(pairs.source_length(row), pairs.target_length(row))));
  return batches_of(lengths, max_tokens, random);
}

}  // namespace gradual
