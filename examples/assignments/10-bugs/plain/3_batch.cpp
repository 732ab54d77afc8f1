#include <algorithm>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/text/vocabulary.hpp>

namespace gradual {
namespace {

// Rows of different lengths as one table [B, longest], filled up.
Indices table_of(const std::vector<std::vector<std::int32_t>>& rows, std::int32_t filling) {
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  std::vector<std::int32_t> table;
  for (const auto& row : rows) {
    table.insert(table.end(), row.begin(), row.end());
    table.resize(table.size() + longest - row.size(), filling);
  }
  return {Shape{static_cast<Index>(rows.size()), static_cast<Index>(longest)}, table};
}

}  // namespace

TranslationBatch make_batch(const std::vector<EncodedPair>& pairs, const std::vector<Index>& rows) {
  std::vector<std::vector<std::int32_t>> sources, inputs, outputs;
  for (const Index row : rows) {
    const EncodedPair& pair = pairs[static_cast<std::size_t>(row)];
    sources.push_back(pair.source);
    inputs.push_back(pair.target);
    inputs.back().insert(inputs.back().begin(), Vocabulary::bos);
    outputs.push_back(pair.target);
    outputs.back().push_back(Vocabulary::eos);
  }
  const Indices input = table_of(inputs, Vocabulary::pad);
  const Indices output = table_of(outputs, TranslationBatch::nothing);
  return {make_source_batch(sources), input, output};
}

}  // namespace gradual
