#include <gradual/nn/attention/multi_head.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/multi_head_naive.hpp>
#include <gradual/nn/layers/initialization.hpp>
#include <gradual/nn/layers/packed_weights.hpp>

namespace gradual {
namespace {

Index checked_head_width(Index width, Index heads) {
  if (heads <= 0 || width % heads != 0)
    throw std::invalid_argument(
        text("multi-head attention: the heads must divide the width: ", heads, " heads, width ", width));
  return width / heads;
}

// The heads of keys and values; 0 stands for as many as there are heads.
Index checked_groups(Index heads, Index key_value_heads) {
  if (key_value_heads < 0 || (key_value_heads > 0 && heads % key_value_heads != 0))
    throw std::invalid_argument(
        text("multi-head attention: the heads of keys and values must divide the heads: ", key_value_heads,
             " of keys and values, ", heads, " heads"));
  return key_value_heads > 0 ? key_value_heads : heads;
}

// What is added to the scores [B, T, S] of one head: the row of biases by head and distance [H, T + S - 1]
// that belongs to it, laid out by query and key.
Var bias_of_head(const Var& distance_bias, Index head, Index queries, Index keys) {
  if (!distance_bias.defined()) return {};
  std::vector<std::int32_t> distances;
  for (Index t = 0; t < queries; ++t) {
    for (Index s = 0; s < keys; ++s) distances.push_back(static_cast<std::int32_t>(s - t + queries - 1));
  }
  const Indices places({1, queries * keys}, std::move(distances));
  return reshape(gather(slice(distance_bias, 0, head, head + 1), 1, places), {queries, keys});
}

void require_one_word(const Var& x) {
  if (x.rank() != 3 || x.dim(1) != 1)
    throw std::invalid_argument(
        text("multi-head attention: words must come one by one, [B, 1, D]: got ", x.shape()));
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(Index width, Index heads, double dropout, Random random,
                                       std::string name, const SelfAttentionOptions& self,
                                       const HeadScore& score, Index key_value_heads)
    : output(width, width, random),
      positions(make_attention_positions(self.positions, heads, checked_head_width(width, heads), random)),
      width_(width),
      heads_(heads),
      window_(self.window),
      key_value_width_(checked_groups(heads, key_value_heads) * (width / heads)),
      dropout_(dropout, random),
      name_(std::move(name)) {
  if (window_ < 0)
    throw std::invalid_argument(
        text("multi-head attention: a window must be at least 0, which is all words: got ", window_));
  const Index rows = width + 2 * key_value_width_;
  weight =
      Var::parameter(uniform_tensor({rows, width}, std::sqrt(6.0 / static_cast<double>(2 * width)), random));
  bias = Var::parameter(Tensor::zeros({rows}));
  if (score.name == "scaled_dot") return;  // there is a kernel for it
  const ScoreSizes sizes{width / heads, width / heads, width / heads, score.most_keys};
  for (Index h = 0; h < heads; ++h)
    scored_heads.emplace_back(make_score(score.name, sizes, random), dropout, random);
}

MultiHeadAttention::MultiHeadAttention(const AttentionLayerSettings& s, Random random)
    : MultiHeadAttention(s.width, s.heads, s.dropout, random, s.name, {s.positions, s.window},
                         {s.score, s.max_length}, s.key_value_heads) {}

void MultiHeadAttention::visit(Visitor& visitor) {
  visitor("weight", weight);
  visitor("bias", bias);
  visitor("output", output);
  visitor("positions", positions);
  visitor("heads", scored_heads);
  visitor("dropout", dropout_);
}

Var MultiHeadAttention::project(const Var& x, Index first, Index last) const {
  return linear_by_rows(x, weight, bias, first, last);
}

// Packed keys and values, G heads of each from column `first` on, with each head repeated for all heads of
// queries that it serves: [B, N, first + 2·D]. What is remembered is not: there each head stands once.
Var MultiHeadAttention::spread(const Var& packed, Index first) const {
  if (key_value_width_ == width_) return packed;
  const Index d = width_ / heads_, groups = key_value_width_ / d;
  std::vector<Var> columns;
  if (first > 0) columns.push_back(slice(packed, 2, 0, first));
  for (Index start : {first, first + key_value_width_}) {
    for (Index h = 0; h < heads_; ++h) {
      const Index head = start + h * groups / heads_ * d;
      columns.push_back(slice(packed, 2, head, head + d));
    }
  }
  return concat(columns, 2);
}

Var MultiHeadAttention::attend_columns(const Inputs& inputs, const AttentionMask& mask,
                                       const Var& distance_bias) const {
  if (!scored_heads.empty()) return attend_by_score(inputs, mask, distance_bias);
  Tensor weights;
  AttentionRecorder* recorder = AttentionRecorder::current();
  const AttentionOptions options{mask, dropout_.next_mask(), distance_bias, recorder ? &weights : nullptr};
  const Index d = width_ / heads_;
  const Var y = output(attention(inputs.q, inputs.k, inputs.v, heads_, d, d, options));
  if (recorder) recorder->add(name_, weights, inputs.to);
  return y;
}

Var MultiHeadAttention::attend_by_score(const Inputs& from, const AttentionMask& mask,
                                        const Var& distance_bias) const {
  const Columns &q = from.q, &k = from.k, &v = from.v;
  if (q.source.rank() != 3 || k.source.rank() != 3 || q.source.dim(0) != k.source.dim(0))
    throw std::invalid_argument(
        text("attention: queries must be [B, T, D] and keys [B, S, D]: they come from ", q.source.shape(),
             " and ", k.source.shape()));
  const Index d = width_ / heads_, queries = q.source.dim(1), keys = k.source.dim(1);
  std::vector<HeadInputs> inputs;
  for (Index h = 0; h < heads_; ++h) {
    const auto columns = [&](const Columns& c) {
      return slice(c.source, 2, c.first + h * d, c.first + (h + 1) * d);
    };
    inputs.push_back({scored_heads[static_cast<std::size_t>(h)], columns(q), columns(k), columns(v),
                      bias_of_head(distance_bias, h, queries, keys)});
  }
  return output(attend_head_by_head(inputs, mask, name_, from.to));
}

Var MultiHeadAttention::operator()(const Var& x, const AttentionMask& mask) const {
  const Var packed = spread(positions->rotated(project(x, 0, weight.dim(0)), width_ + key_value_width_, 0),
                            width_);  // [B, T, 3·D]
  AttentionMask near = mask;
  if (window_ > 0) near.window = mask.window > 0 ? std::min(mask.window, window_) : window_;
  return attend_columns({{packed, 0}, {packed, width_}, {packed, 2 * width_}, AttentionTo::itself}, near,
                        positions->bias(x.dim(1), x.dim(1)));
}

Var MultiHeadAttention::operator()(const Var& x, const Var& memory, const AttentionMask& mask) const {
  const Var queries = project(x, 0, width_);                                                  // [B, T, D]
  const Var keys_values = spread(project(memory, width_, width_ + 2 * key_value_width_), 0);  // [B, S, 2·D]
  const AttentionTo to = x.is_same_as(memory) ? AttentionTo::itself : AttentionTo::source;
  return attend_columns({{queries, 0}, {keys_values, 0}, {keys_values, width_}, to}, mask, {});
}

Var MultiHeadAttention::attend_cached(const Tensor& queries, const KeyValueCache& cache,
                                      const Indices& lengths, const Tensor& key_bias, AttentionTo to) const {
  const Index batch = queries.dim(0);
  if (batch != cache.rows())
    throw std::invalid_argument(
        text("multi-head attention: there must be a word for each row that is remembered: there are ", batch,
             " words, ", cache.rows(), " rows"));
  if (cache.width() != 2 * key_value_width_)
    throw std::invalid_argument(text(
        "multi-head attention: what is remembered must have keys and values of the layer's width: it is ",
        cache.width(), " wide, the layer's are ", 2 * key_value_width_));
  if (!scored_heads.empty()) {
    const Var remembered = spread(cache.gathered(), 0);  // [B, S, 2·D]
    AttentionMask mask;
    mask.valid_lengths = lengths;
    return attend_by_score({{Var(queries), 0}, {remembered, 0}, {remembered, width_}, to}, mask,
                           key_bias.defined() ? Var(key_bias) : Var());
  }
  Tensor heads({batch, 1, width_}), weights;
  AttentionRecorder* recorder = AttentionRecorder::current();
  KeyTable table = cache.table(lengths);
  table.heads = key_value_width_ / (width_ / heads_);
  cached_attention(heads_, width_ / heads_, {queries.data(), queries.dim(2)}, table,
                   {heads.unguarded_data(), width_}, recorder ? &weights : nullptr, key_bias);
  if (recorder) recorder->add(name_, weights, to);
  return output(heads);
}

// What is added to the scores of a query at the last of `keys` places: [H, keys], or nothing.
Tensor MultiHeadAttention::bias_of_last(Index keys) const {
  const Var by_distance = positions->bias(1, keys);
  Tensor added = by_distance.defined() ? by_distance.value() : Tensor();
  const Index hidden = window_ > 0 ? keys - window_ - 1 : 0;
  if (hidden <= 0) return added;
  if (!added.defined()) added = Tensor::zeros({heads_, keys});
  Real* rows = added.unguarded_data();
  for (Index h = 0; h < heads_; ++h)
    std::fill_n(rows + h * keys, hidden, -std::numeric_limits<Real>::infinity());
  return added;
}

Var MultiHeadAttention::next(const Var& x, KeyValueCache& cache) const {
  const NoGrad no_grad;
  require_one_word(x);
  const Tensor packed =
      positions->rotated(project(x, 0, weight.dim(0)), width_ + key_value_width_, cache.length()).value();
  cache.append(slice(packed, 2, width_, packed.dim(2)));
  // A score of one's own may ask for the place of a key among all.
  if (window_ > 0 && scored_heads.empty()) cache.keep_last(window_ + 1);
  return attend_cached(packed, cache, {}, bias_of_last(cache.kept()), AttentionTo::itself);
}

KeyValueCache MultiHeadAttention::remember(const Var& memory) const {
  const NoGrad no_grad;
  KeyValueCache cache;
  cache.append(project(memory, width_, width_ + 2 * key_value_width_).value());
  return cache;
}

Var MultiHeadAttention::attend(const Var& x, const KeyValueCache& memory, const Indices& lengths) const {
  const NoGrad no_grad;
  require_one_word(x);
  return attend_cached(project(x, 0, width_).value(), memory, lengths, {}, AttentionTo::source);
}

}  // namespace gradual
