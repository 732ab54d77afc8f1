#include <gradual/nn/attention/multi_head.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/layers/initialization.hpp>

namespace gradual {

void KeyValueCache::append(const Tensor& packed, Index first, Index width) {
  const Index batch = packed.dim(0), count = packed.dim(1), stride = packed.dim(2);
  const Index capacity = keys_values.defined() ? keys_values.dim(1) : 0;
  if (length + count > capacity) {
    Tensor larger({batch, std::max<Index>({2 * capacity, length + count, 16}), width});
    Real* to = larger.mutable_data();
    for (Index b = 0; b < batch && length > 0; ++b)
      std::copy_n(keys_values.data() + b * capacity * width, length * width, to + b * larger.dim(1) * width);
    keys_values = std::move(larger);
  }
  Real* to = keys_values.mutable_data();
  for (Index b = 0; b < batch; ++b) {
    for (Index n = 0; n < count; ++n)
      std::copy_n(packed.data() + (b * count + n) * stride + first, width,
                  to + (b * keys_values.dim(1) + length + n) * width);
  }
  length += count;
}

void KeyValueCache::select(const std::vector<Index>& rows) {
  const Index capacity = keys_values.dim(1), width = keys_values.dim(2);
  Tensor selected({static_cast<Index>(rows.size()), capacity, width});
  Real* to = selected.mutable_data();
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(keys_values.data() + rows[i] * capacity * width, length * width,
                to + static_cast<Index>(i) * capacity * width);
  keys_values = std::move(selected);
}

MultiHeadAttention::MultiHeadAttention(Index width, Index heads, double dropout, Random random,
                                       std::string name)
    : output(width, width, random),
      width_(width),
      heads_(heads),
      dropout_(dropout, random),
      name_(std::move(name)) {
  if (heads <= 0 || width % heads != 0)
    throw std::invalid_argument(
        text("multi-head attention: the heads must divide the width: ", heads, " heads, width ", width));
  weight = Var::parameter(
      uniform_tensor({3 * width, width}, std::sqrt(6.0 / static_cast<double>(2 * width)), random));
  bias = Var::parameter(Tensor::zeros({3 * width}));
}

void MultiHeadAttention::visit(Visitor& visitor) {
  visitor("weight", weight);
  visitor("bias", bias);
  visitor("output", output);
  visitor("dropout", dropout_);
}

Var MultiHeadAttention::project(const Var& x, Index first, Index last) const {
  return linear(x, slice(weight, 0, first, last), slice(bias, 0, first, last));
}

Var MultiHeadAttention::attend_columns(const Columns& q, const Columns& k, const Columns& v,
                                       const AttentionMask& mask) const {
  Tensor weights;
  AttentionRecorder* recorder = AttentionRecorder::current();
  const AttentionOptions options{mask, dropout_.next_mask(), recorder ? &weights : nullptr};
  const Var y = output(attention(q, k, v, heads_, width_ / heads_, width_ / heads_, options));
  if (recorder) recorder->add(name_, weights);
  return y;
}

Var MultiHeadAttention::operator()(const Var& x, const AttentionMask& mask) const {
  const Var packed = linear(x, weight, bias);  // [B, T, 3·D]
  return attend_columns({packed, 0}, {packed, width_}, {packed, 2 * width_}, mask);
}

Var MultiHeadAttention::operator()(const Var& x, const Var& memory, const AttentionMask& mask) const {
  const Var queries = project(x, 0, width_);                    // [B, T, D]
  const Var keys_values = project(memory, width_, 3 * width_);  // [B, S, 2·D]
  return attend_columns({queries, 0}, {keys_values, 0}, {keys_values, width_}, mask);
}

Var MultiHeadAttention::next(const Var& x, KeyValueCache& cache) const {
  const NoGrad no_grad;
  const Var packed = linear(x, weight, bias);  // [B, 1, 3·D]
  cache.append(packed.value(), width_, 2 * width_);
  // The cache may have room for more words than there are.
  AttentionMask mask;
  if (cache.length < cache.keys_values.dim(1)) {
    const Index batch = x.dim(0);
    mask.valid_lengths = {Shape{batch}, std::vector<std::int32_t>(static_cast<std::size_t>(batch),
                                                                  static_cast<std::int32_t>(cache.length))};
  }
  return attend_columns({packed, 0}, {cache.keys_values, 0}, {cache.keys_values, width_}, mask);
}

KeyValueCache MultiHeadAttention::remember(const Var& memory) const {
  const NoGrad no_grad;
  const Tensor keys_values = project(memory, width_, 3 * width_).value();  // [B, S, 2·D]
  return {keys_values, keys_values.dim(1)};
}

Var MultiHeadAttention::attend(const Var& x, const KeyValueCache& memory, const AttentionMask& mask) const {
  const NoGrad no_grad;
  return attend_columns({project(x, 0, width_), 0}, {memory.keys_values, 0}, {memory.keys_values, width_},
                        mask);
}

}  // namespace gradual
