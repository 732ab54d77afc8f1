#include <gradual/nn/attention/cache.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace gradual {

void KeyValueCache::append(const Tensor& packed, Index first) {
  std::vector<Index> rows(static_cast<std::size_t>(packed.dim(0)));
  std::iota(rows.begin(), rows.end(), Index(0));
  blocks_.push_back({packed, first, std::move(rows)});
}

void KeyValueCache::select(const std::vector<Index>& rows) {
  for (Block& block : blocks_) {
    std::vector<Index> selected;
    selected.reserve(rows.size());
    for (Index row : rows) selected.push_back(block.rows[static_cast<std::size_t>(row)]);
    block.rows = std::move(selected);
  }
}

Index KeyValueCache::length() const {
  Index words = 0;
  for (const Block& block : blocks_) words += block.packed.dim(1);
  return words;
}

KeyTable KeyValueCache::table(const Indices& lengths) const {
  KeyTable table;
  table.most = length();
  const std::size_t count = blocks_.empty() ? 0 : blocks_.front().rows.size();
  table.counts.assign(count, static_cast<std::int32_t>(table.most));
  if (lengths.size() > 0) {
    AttentionMask mask;
    mask.valid_lengths = lengths;
    check_attention_mask(mask, {static_cast<Index>(count), 1, 1, table.most, 0, 0});
    table.counts.assign(lengths.begin(), lengths.end());
  }
  table.keys.resize(count * static_cast<std::size_t>(table.most));
  Index position = 0;
  for (const Block& block : blocks_) {
    const Index words = block.packed.dim(1), stride = block.packed.dim(2);
    for (std::size_t row = 0; row < count; ++row) {
      const Real* word = block.packed.data() + block.rows[row] * words * stride + block.first;
      const Real** keys = table.keys.data() + static_cast<Index>(row) * table.most + position;
      for (Index i = 0; i < words; ++i) keys[i] = word + i * stride;
    }
    position += words;
  }
  return table;
}

Tensor KeyValueCache::gathered(Index width) const {
  const KeyTable all = table();
  Tensor result({static_cast<Index>(all.counts.size()), all.most, width});
  Real* to = result.unguarded_data();
  for (const Real* key : all.keys) to = std::copy_n(key, width, to);
  return result;
}

}  // namespace gradual
