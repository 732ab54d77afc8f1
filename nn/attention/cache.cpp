#include <gradual/nn/attention/cache.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>

namespace gradual {

void KeyValueCache::append(const Tensor& keys_values) {
  if (keys_values.rank() != 3)
    throw std::invalid_argument(
        text("cache: keys and values must be [B, N, 2·D]: they are ", keys_values.shape()));
  if (const Index width = blocks_.empty() ? keys_values.dim(2) : blocks_.back().keys_values.dim(2);
      width != keys_values.dim(2) || (!blocks_.empty() && rows() != keys_values.dim(0)))
    throw std::invalid_argument(text("cache: all words must be of the same rows and as wide: there are ",
                                     rows(), " rows of width ", width, ", got ", keys_values.shape()));
  std::vector<Index> rows(static_cast<std::size_t>(keys_values.dim(0)));
  std::iota(rows.begin(), rows.end(), Index(0));
  blocks_.push_back({keys_values, std::move(rows)});
}

void KeyValueCache::select(const std::vector<Index>& rows) {
  for (const Index row : rows)
    if (row < 0 || (row >= this->rows() && !blocks_.empty()))
      throw std::invalid_argument(
          text("cache: the rows that are kept must be there: got ", row, " of ", this->rows()));
  for (Block& block : blocks_) {
    std::vector<Index> selected;
    selected.reserve(rows.size());
    for (Index row : rows) selected.push_back(block.rows[static_cast<std::size_t>(row)]);
    block.rows = std::move(selected);
  }
}

void KeyValueCache::keep_last(Index words) {
  Index left = kept();
  auto first = blocks_.begin();
  for (; first != blocks_.end() && left - first->keys_values.dim(1) >= words; ++first)
    left -= first->keys_values.dim(1);
  forgotten_ += kept() - left;
  blocks_.erase(blocks_.begin(), first);
}

Index KeyValueCache::kept() const {
  Index words = 0;
  for (const Block& block : blocks_) words += block.keys_values.dim(1);
  return words;
}

KeyTable KeyValueCache::table(const Indices& lengths) const {
  KeyTable table;
  table.most = kept();
  const auto count = static_cast<std::size_t>(rows());
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
    const Index words = block.keys_values.dim(1), stride = block.keys_values.dim(2);
    for (std::size_t row = 0; row < count; ++row) {
      const Real* word = block.keys_values.data() + block.rows[row] * words * stride;
      const Real** keys = table.keys.data() + static_cast<Index>(row) * table.most + position;
      for (Index i = 0; i < words; ++i) keys[i] = word + i * stride;
    }
    position += words;
  }
  return table;
}

Tensor KeyValueCache::gathered() const {
  const KeyTable all = table();
  const Index width = blocks_.empty() ? 0 : blocks_.front().keys_values.dim(2);
  Tensor result({static_cast<Index>(all.counts.size()), all.most, width});
  Real* to = result.unguarded_data();
  for (const Real* key : all.keys) to = std::copy_n(key, width, to);
  return result;
}

}  // namespace gradual
