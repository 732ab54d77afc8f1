// Both tables made at once, place by place.
#include <algorithm>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/text/vocabulary.hpp>

namespace gradual {

TranslationBatch make_batch(const std::vector<EncodedPair>& pairs, const std::vector<Index>& rows) {
  std::size_t longest = 0;
  for (const Index row : rows) longest = std::max(longest, pairs[std::size_t(row)].target.size() + 1);
  std::vector<std::int32_t> input, output;
  std::vector<std::vector<std::int32_t>> sources;
  for (const Index row : rows) {
    const EncodedPair& pair = pairs[std::size_t(row)];
    sources.push_back(pair.source);
    const std::size_t words = pair.target.size();
    for (std::size_t i = 0; i < longest; ++i) {
      input.push_back(i == 0 ? Vocabulary::bos : i <= words ? pair.target[i - 1] : Vocabulary::pad);
      output.push_back(i < words ? pair.target[i] : i == words ? Vocabulary::eos : TranslationBatch::nothing);
    }
  }
  const Shape shape{Index(rows.size()), Index(longest)};
  return {make_source_batch(sources), Indices(shape, input), Indices(shape, output)};
}

}  // namespace gradual
