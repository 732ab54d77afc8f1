#include <gradual/nn/attention/global.hpp>

#include <algorithm>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/layers/initialization.hpp>

namespace gradual {

GlobalAttention::GlobalAttention(Part<Score> score, Index query_width, Random random, std::string name)
    : query(Var::parameter(normal_tensor({1, query_width}, 1, random))),
      attention_(std::move(score), 0, random, std::move(name)) {}

void GlobalAttention::visit(Visitor& visitor) {
  visitor("query", query);
  visitor("attention", attention_);
}

Var GlobalAttention::operator()(const Var& keys, const Var& values, const Indices& valid) const {
  const Index batch = keys.dim(0);
  const Indices first_row({batch, 1}, std::vector<std::int32_t>(static_cast<std::size_t>(batch), 0));
  AttentionMask mask;
  mask.valid_lengths = valid;
  const Var pooled = attention_(embedding(first_row, query), keys, values, mask);  // [B, 1, D_v]
  return reshape(pooled, {batch, pooled.dim(2)});
}

namespace {

void check_items(const char* operation, const Var& items) {
  if (items.rank() != 3)
    throw std::invalid_argument(text(operation, ": items must be [B, N, D]: they are ", items.shape()));
}

}  // namespace

Var mean_of_items(const Var& items, const Indices& valid) {
  check_items("mean_of_items", items);
  const Index batch = items.dim(0), count = items.dim(1);
  const Var scores = Tensor::zeros({batch, 1, count});
  const Var equal = valid.size() > 0 ? masked_softmax(scores, valid) : softmax(scores);
  return reshape(batch_dot(equal, items), {batch, items.dim(2)});
}

Var neighbourhood_means(const Var& items, Index radius, const Indices& valid) {
  check_items("neighbourhood_means", items);
  if (radius < 0)
    throw std::invalid_argument(text("neighbourhood_means: the radius must not be negative: got ", radius));
  const Index batch = items.dim(0), count = items.dim(1);
  radius = std::min(radius, count);
  AttentionMask mask;
  mask.valid_lengths = valid;
  check_attention_mask(mask, {batch, 1, 1, count, 0, 0});
  Tensor averaging = Tensor::zeros({batch, count, count});  // row i holds the weights of i's neighbours
  Real* rows = averaging.unguarded_data();
  for (Index b = 0; b < batch; ++b) {
    const Index size = valid.size() > 0 ? valid[b] : count;
    for (Index i = 0; i < size; ++i) {
      const Index first = std::max<Index>(i - radius, 0), last = std::min(i + radius + 1, size);
      std::fill_n(rows + (b * count + i) * count + first, last - first, 1 / static_cast<Real>(last - first));
    }
  }
  return batch_dot(averaging, items);
}

}  // namespace gradual
