#include <gradual/core/attention/attention.hpp>

#include <algorithm>

#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/products/blas.hpp>
#include <gradual/core/rows/rows.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

constexpr Index most_kept_keys =
    128;  // beyond that the weights take more memory and time than computing them again
constexpr Index queries_in_block = 64;  // a block's scores stay in the second-level cache

// The most keys that the queries of one block can see.
Index keys_of_block(const AttentionSizes& sizes, const AttentionMask& mask) {
  const Index queries = std::min(queries_in_block, sizes.queries);
  return mask.window > 0 ? std::min(queries + 2 * mask.window, sizes.keys) : sizes.keys;
}

// One head of one sentence, and what its queries may see.
struct Head {
  const AttentionSizes& sizes;
  const AttentionSettings& settings;
  Index batch, head;

  Index position() const { return batch * sizes.heads + head; }
  // Where the rows of this head start in a view over N rows for each batch.
  Index offset(Index stride, Index rows, Index width) const { return batch * rows * stride + head * width; }

  KeyRange visible_keys(Index query) const {
    KeyRange range = visible_places(settings.mask, query, sizes.queries, sizes.keys);
    const Indices& lengths = settings.mask.valid_lengths;
    if (lengths.size() > 0)
      range.last = std::min<Index>(
          range.last, lengths.shape().rank() == 1 ? lengths[batch] : lengths[batch * sizes.queries + query]);
    return {std::min(range.first, range.last), range.last};
  }
  // The keys that any query of a block sees: products need not go further.
  KeyRange visible_keys(Index first, Index last) const {
    KeyRange range = {sizes.keys, 0};
    for (Index query = first; query < last; ++query) {
      const KeyRange own = visible_keys(query);
      range = {std::min(range.first, own.first), std::max(range.last, own.last)};
    }
    return {std::min(range.first, range.last), range.last};
  }
  // Where dropout's numbering of a row of weights starts.
  Index row_position(Index query) const { return (position() * sizes.queries + query) * sizes.keys; }
  // Where the biases of a row of scores start.
  const Real* bias_row(Index query) const {
    return settings.bias.data() + head * (sizes.queries + sizes.keys - 1) + sizes.queries - 1 - query;
  }
};

// Calls body(head, scratch) for every head; heads are shared out in fixed groups, each with a scratch block
// of its own.
template <class Body>
void for_each_head(const AttentionSizes& sizes, const AttentionSettings& settings, Index scratch_size,
                   Body body) {
  const Index heads = sizes.batch * sizes.heads;
  const Index work =
      sizes.queries * keys_of_block(sizes, settings.mask) * (sizes.key_width + sizes.value_width);
  const Index groups = even_chunks(heads * work / 65536, std::min<Index>(16, heads));
  Tensor scratch({groups, scratch_size});
  Real* blocks = scratch.mutable_data();
  parallel_for(groups, [&](Index group) {
    for (Index i = heads * group / groups; i < heads * (group + 1) / groups; ++i)
      body(Head{sizes, settings, i / sizes.heads, i % sizes.heads}, blocks + group * scratch_size);
  });
}

// A block of scores or weights: a row for each of `count` queries from `first` on, with the keys of `range`.
// A row has `stride` numbers, and `data` is where the first one has, or would have, key 0.
struct ScoreBlock {
  Index first, count;
  KeyRange range;
  Real* data;
  Index stride;

  Index width() const { return range.last - range.first; }
  Real* row(Index r) const { return data + r * stride; }
  Real* begin() const { return data + range.first; }
  MatrixView view(bool transposed = false) const { return {begin(), stride, transposed}; }
};

void add_bias(const Head& head, const ScoreBlock& block, Index r, KeyRange keys) {
  if (!head.settings.bias.defined()) return;
  const Real* bias = head.bias_row(block.first + r);
  Real* row = block.row(r);
#pragma omp simd
  for (Index j = keys.first; j < keys.last; ++j) row[j] += bias[j];
}

void drop(const Head& head, const ScoreBlock& weights, const ScoreBlock& dropped) {
  const DropoutMask mask = head.settings.dropout;
  for (Index r = 0; r < weights.count; ++r) {
    const Index position = head.row_position(weights.first + r);
    const Real* from = weights.row(r);
    Real* to = dropped.row(r);
#pragma omp simd
    for (Index j = weights.range.first; j < weights.range.last; ++j) to[j] = from[j] * mask(position + j);
  }
}

}  // namespace

void check_attention_mask(const AttentionMask& mask, const AttentionSizes& sizes) {
  if (mask.window < 0)
    throw std::invalid_argument(text("attention: the window must not be negative: got ", mask.window));
  const Indices& lengths = mask.valid_lengths;
  if (lengths.size() == 0) return;
  if (lengths.shape() != Shape{sizes.batch} && lengths.shape() != Shape{sizes.batch, sizes.queries})
    throw std::invalid_argument(text("attention: valid lengths must be [B] or [B, T]: B is ", sizes.batch,
                                     ", T is ", sizes.queries, ", valid lengths are ", lengths.shape()));
  for (std::int32_t length : lengths) {
    if (length < 0 || length > sizes.keys)
      throw std::invalid_argument(text("attention: valid lengths must lie in 0 … number of keys: got ",
                                       length, " of ", sizes.keys, " keys"));
  }
}

KeyRange visible_places(const AttentionMask& mask, Index query, Index queries, Index keys) {
  const Index place = query + keys - queries;
  KeyRange range = {0, keys};
  if (mask.causal) range.last = std::clamp<Index>(place + 1, 0, keys);
  if (mask.window > 0) {
    range.first = std::max<Index>(place - mask.window, 0);
    range.last = std::clamp<Index>(place + mask.window + 1, 0, range.last);
  }
  return range;
}

AttentionMemory attention_forward(const AttentionSizes& sizes, const AttentionSettings& settings, HeadsView q,
                                  HeadsView k, HeadsView v, WritableHeadsView out, bool all_weights) {
  const Index T = sizes.queries, S = sizes.keys, dk = sizes.key_width, dv = sizes.value_width;
  const bool keep = all_weights || S <= most_kept_keys;
  AttentionMemory memory;
  if (keep) memory.weights = Tensor({sizes.batch, sizes.heads, T, S});
  memory.log_sums = keep ? Tensor() : Tensor({sizes.batch, sizes.heads, T});
  Real* kept = keep ? memory.weights.mutable_data() : nullptr;
  Real* log_sums = keep ? nullptr : memory.log_sums.mutable_data();
  const bool dropping = settings.dropout.active();
  const Index stride = keys_of_block(sizes, settings.mask);
  const Index block_size = std::min(queries_in_block, T) * stride;

  for_each_head(
      sizes, settings, (keep ? 0 : block_size) + (dropping ? block_size : 0),
      [&](const Head& head, Real* scratch) {
        const Real* queries = q.data + head.offset(q.stride, T, dk);
        const Real* keys = k.data + head.offset(k.stride, S, dk);
        const Real* values = v.data + head.offset(v.stride, S, dv);
        Real* outputs = out.data + head.offset(out.stride, T, dv);
        for (Index first = 0; first < T; first += queries_in_block) {
          const Index count = std::min(queries_in_block, T - first);
          const KeyRange range = head.visible_keys(first, first + count);
          ScoreBlock block{first, count, range, scratch - range.first, stride};
          if (keep) block = {first, count, range, kept + head.row_position(first), S};
          gemm(count, block.width(), dk, settings.scale, {queries + first * q.stride, q.stride},
               {keys + range.first * k.stride, k.stride, true}, 0, block.begin(), block.stride);
          const KeyRange written = keep ? KeyRange{0, S} : range;
          for (Index r = 0; r < count; ++r) {
            const KeyRange own = head.visible_keys(first + r);
            add_bias(head, block, r, own);
            std::fill(block.row(r) + written.first, block.row(r) + own.first, Real(0));
            const RowSum sum =
                softmax_row(block.row(r) + own.first, own.last - own.first, written.last - own.first);
            if (!keep) log_sums[head.position() * T + first + r] = sum.log();
          }
          if (dropping) {
            Real* dropped = scratch + (keep ? 0 : block_size) - range.first;
            const ScoreBlock weights = block;
            block = {first, count, range, dropped, stride};
            drop(head, weights, block);
          }
          gemm(count, dv, block.width(), 1, block.view(), {values + range.first * v.stride, v.stride}, 0,
               outputs + first * out.stride, out.stride);
        }
      });
  return memory;
}

Tensor attention_backward(const AttentionSizes& sizes, const AttentionSettings& settings,
                          const AttentionMemory& memory, HeadsView q, HeadsView k, HeadsView v,
                          HeadsView d_out, WritableHeadsView dq, WritableHeadsView dk, WritableHeadsView dv,
                          bool with_bias) {
  const Index T = sizes.queries, S = sizes.keys, key_width = sizes.key_width, value_width = sizes.value_width;
  const bool kept = memory.weights.defined();
  const bool dropping = settings.dropout.active();
  const Index stride = keys_of_block(sizes, settings.mask);
  const Index block_size = std::min(queries_in_block, T) * stride;
  // The sums for each sentence apart, so that threads can share the heads.
  const Index distances = T + S - 1;
  Tensor bias_sums = with_bias ? Tensor::zeros({sizes.batch, sizes.heads, distances}) : Tensor();
  Real* d_biases = with_bias ? bias_sums.mutable_data() : nullptr;

  for_each_head(
      sizes, settings, block_size * (1 + (kept ? 0 : 1) + (dropping ? 1 : 0)),
      [&](const Head& head, Real* scratch) {
        const Real* queries = q.data + head.offset(q.stride, T, key_width);
        const Real* keys = k.data + head.offset(k.stride, S, key_width);
        const Real* values = v.data + head.offset(v.stride, S, value_width);
        const Real* d_outputs = d_out.data + head.offset(d_out.stride, T, value_width);
        Real* d_queries = dq.data + head.offset(dq.stride, T, key_width);
        Real* d_keys = dk.data + head.offset(dk.stride, S, key_width);
        Real* d_values = dv.data + head.offset(dv.stride, S, value_width);

        // Without a window, the last block sees all keys that any query sees: worked on first, it overwrites
        // the sums of dK and dV that the others add to. What it does not overwrite starts at zero.
        const bool overwriting = settings.mask.window == 0;
        const Index blocks = (T + queries_in_block - 1) / queries_in_block;
        const KeyRange reached = head.visible_keys(0, T);
        for (Index key = overwriting ? reached.last : 0; key < S; ++key) {
          std::fill_n(d_keys + key * dk.stride, key_width, Real(0));
          std::fill_n(d_values + key * dv.stride, value_width, Real(0));
        }
        for (Index b = blocks - 1; b >= 0; --b) {
          const Index first = b * queries_in_block;
          const Index count = std::min(queries_in_block, T - first);
          const bool overwrites = overwriting && b == blocks - 1;
          const KeyRange range = overwrites ? reached : head.visible_keys(first, first + count);
          const Real before = overwrites ? Real(0) : Real(1);
          const MatrixView block_queries{queries + first * q.stride, q.stride};
          const MatrixView block_keys{keys + range.first * k.stride, k.stride};
          const MatrixView block_d_out{d_outputs + first * d_out.stride, d_out.stride};
          const ScoreBlock d_scores{first, count, range, scratch - range.first, stride};

          ScoreBlock weights{first, count, range, scratch + block_size - range.first, stride};
          if (kept) {  // and only read
            weights.data = const_cast<Real*>(memory.weights.data()) + head.row_position(first);
            weights.stride = S;
          } else {
            gemm(count, weights.width(), key_width, settings.scale, block_queries,
                 {block_keys.data, k.stride, true}, 0, weights.begin(), stride);
            for (Index r = 0; r < count; ++r) {
              const KeyRange own = head.visible_keys(first + r);
              add_bias(head, weights, r, own);
              std::fill(weights.row(r) + range.first, weights.row(r) + own.first, Real(0));
              softmax_row_again(weights.row(r) + own.first, own.last - own.first, range.last - own.first,
                                memory.log_sums.data()[head.position() * T + first + r]);
            }
          }
          ScoreBlock used = weights;
          if (dropping) {
            used = {first, count, range, scratch + block_size * (kept ? 1 : 2) - range.first, stride};
            drop(head, weights, used);
          }
          gemm(used.width(), value_width, count, 1, used.view(true), block_d_out, before,
               d_values + range.first * dv.stride, dv.stride);
          gemm(count, used.width(), value_width, 1, block_d_out,
               {values + range.first * v.stride, v.stride, true}, 0, d_scores.begin(), stride);
          if (dropping) drop(head, d_scores, d_scores);
          for (Index r = 0; r < count; ++r)
            softmax_backward_row(weights.row(r) + range.first, d_scores.row(r) + range.first, used.width());
          if (with_bias) {
            for (Index r = 0; r < count; ++r) {
              Real* d_bias = d_biases + head.position() * distances + T - 1 - first - r;
#pragma omp simd
              for (Index j = range.first; j < range.last; ++j) d_bias[j] += d_scores.row(r)[j];
            }
          }
          gemm(count, key_width, used.width(), settings.scale, d_scores.view(), block_keys, 0,
               d_queries + first * dq.stride, dq.stride);
          gemm(used.width(), key_width, count, settings.scale, d_scores.view(true), block_queries, before,
               d_keys + range.first * dk.stride, dk.stride);
        }
      });
  return with_bias ? sum(bias_sums, {0}).with_shape({sizes.heads, distances}) : Tensor();
}

}  // namespace gradual
