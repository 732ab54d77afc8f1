// The tables filled first, and the words copied into them.
#include <algorithm>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/text/vocabulary.hpp>

namespace gradual {

TranslationBatch make_batch(const std::vector<EncodedPair>& pairs, const std::vector<Index>& rows) {
  TranslationBatch batch;
  std::vector<std::vector<std::int32_t>> sources;
  Index T = 0;
  for (const Index row : rows) {
    const EncodedPair& pair = pairs.at(static_cast<std::size_t>(row));
    sources.push_back(pair.source);
    T = std::max(T, static_cast<Index>(pair.target.size()) + 1);
  }
  const auto B = static_cast<Index>(rows.size());
  std::vector<std::int32_t> input(static_cast<std::size_t>(B * T), Vocabulary::pad);
  std::vector<std::int32_t> output(static_cast<std::size_t>(B * T), TranslationBatch::nothing);
  for (Index b = 0; b < B; ++b) {
    const auto& target = pairs[static_cast<std::size_t>(rows[static_cast<std::size_t>(b)])].target;
    const std::ptrdiff_t first = b * T;
    input[static_cast<std::size_t>(first)] = Vocabulary::bos;
    std::copy(target.begin(), target.end(), input.begin() + first + 1);
    *std::copy(target.begin(), target.end(), output.begin() + first) = Vocabulary::eos;
  }
  batch.source = make_source_batch(sources);
  batch.input = {Shape{B, T}, input};
  batch.output = {Shape{B, T}, output};
  return batch;
}

}  // namespace gradual
