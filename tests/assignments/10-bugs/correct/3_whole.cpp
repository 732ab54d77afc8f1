// The source too, without the function for it.
#include <algorithm>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/text/vocabulary.hpp>

namespace gradual {

namespace {

Indices filled(std::vector<std::vector<std::int32_t>> rows, std::int32_t filling) {
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.size());
  std::vector<std::int32_t> all;
  for (auto& row : rows) {
    row.resize(width, filling);
    all.insert(all.end(), row.begin(), row.end());
  }
  return {Shape{static_cast<Index>(rows.size()), static_cast<Index>(width)}, all};
}

}  // namespace

TranslationBatch make_batch(const std::vector<EncodedPair>& pairs, const std::vector<Index>& rows) {
  std::vector<std::vector<std::int32_t>> sources, targets, shifted;
  std::vector<std::int32_t> lengths;
  for (const Index row : rows) {
    auto [source, target] = pairs[static_cast<std::size_t>(row)];
    std::vector<std::int32_t> with_begin = {Vocabulary::bos};
    with_begin.insert(with_begin.end(), target.begin(), target.end());
    source.push_back(Vocabulary::eos);
    target.push_back(Vocabulary::eos);
    lengths.push_back(static_cast<std::int32_t>(source.size()));
    sources.push_back(source);
    targets.push_back(target);
    shifted.push_back(with_begin);
  }
  const SourceBatch source{filled(sources, Vocabulary::pad),
                           Indices({static_cast<Index>(rows.size())}, lengths)};
  return {source, filled(shifted, Vocabulary::pad), filled(targets, TranslationBatch::nothing)};
}

}  // namespace gradual
