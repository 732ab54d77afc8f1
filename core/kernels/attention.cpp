#include <gradual/core/kernels/attention.hpp>

#include <algorithm>

#include <gradual/core/blas.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/kernels/rows.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

constexpr Index most_kept_keys =
    128;  // beyond that the weights take more memory and time than computing them again
constexpr Index queries_in_block = 64;  // a block's scores stay in the second-level cache

// One head of one sentence, and what its queries may see.
struct Head {
  const AttentionSizes& sizes;
  const AttentionSettings& settings;
  Index batch, head;

  Index position() const { return batch * sizes.heads + head; }
  // Where the rows of this head start in a view over N rows for each batch.
  Index offset(Index stride, Index rows, Index width) const { return batch * rows * stride + head * width; }

  Index visible_keys(Index query) const {
    const Indices& lengths = settings.mask.valid_lengths;
    Index visible = sizes.keys;
    if (lengths.size() > 0)
      visible = lengths.shape().rank() == 1 ? lengths[batch] : lengths[batch * sizes.queries + query];
    if (settings.mask.causal) visible = std::clamp<Index>(query + 1 + sizes.keys - sizes.queries, 0, visible);
    return visible;
  }
  // The most keys that any query of a block sees: products need not go further.
  Index visible_keys(Index first, Index last) const {
    Index most = 0;
    for (Index query = first; query < last; ++query) most = std::max(most, visible_keys(query));
    return most;
  }
  // Where dropout's numbering of a row of weights starts.
  Index row_position(Index query) const { return (position() * sizes.queries + query) * sizes.keys; }
};

// Calls body(head, scratch) for every head; heads are shared out in fixed groups, each with a scratch block
// of its own.
template <class Body>
void for_each_head(const AttentionSizes& sizes, const AttentionSettings& settings, Index scratch_size,
                   Body body) {
  const Index heads = sizes.batch * sizes.heads;
  const Index work = sizes.queries * sizes.keys * (sizes.key_width + sizes.value_width);
  const Index groups =
      std::clamp<Index>(heads * work / 65536, 1, std::min<Index>(16, std::max<Index>(heads, 1)));
  Tensor scratch({groups, scratch_size});
  Real* blocks = scratch.mutable_data();
  parallel_for(groups, [&](Index group) {
    for (Index i = heads * group / groups; i < heads * (group + 1) / groups; ++i)
      body(Head{sizes, settings, i / sizes.heads, i % sizes.heads}, blocks + group * scratch_size);
  });
}

void drop(const Head& head, Index first, Index count, Index width, const Real* weights, Real* dropped) {
  const DropoutMask mask = head.settings.dropout;
  for (Index r = 0; r < count; ++r) {
    const Index position = head.row_position(first + r);
    const Index stride = head.sizes.keys;
#pragma omp simd
    for (Index j = 0; j < width; ++j) dropped[r * stride + j] = weights[r * stride + j] * mask(position + j);
  }
}

}  // namespace

void check_attention_mask(const AttentionMask& mask, const AttentionSizes& sizes) {
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
  const Index block_size = std::min(queries_in_block, T) * S;

  for_each_head(sizes, settings, (keep ? 0 : block_size) + (dropping ? block_size : 0),
                [&](const Head& head, Real* scratch) {
                  const Real* queries = q.data + head.offset(q.stride, T, dk);
                  const Real* keys = k.data + head.offset(k.stride, S, dk);
                  const Real* values = v.data + head.offset(v.stride, S, dv);
                  Real* outputs = out.data + head.offset(out.stride, T, dv);
                  for (Index first = 0; first < T; first += queries_in_block) {
                    const Index count = std::min(queries_in_block, T - first);
                    const Index visible = head.visible_keys(first, first + count);
                    Real* scores = keep ? kept + head.row_position(first) : scratch;  // [count, S]
                    gemm(count, visible, dk, settings.scale, {queries + first * q.stride, q.stride},
                         {keys, k.stride, true}, 0, scores, S);
                    for (Index r = 0; r < count; ++r) {
                      const Real log_sum =
                          softmax_row(scores + r * S, head.visible_keys(first + r), keep ? S : visible);
                      if (!keep) log_sums[head.position() * T + first + r] = log_sum;
                    }
                    const Real* weights = scores;
                    if (dropping) {
                      Real* dropped = scratch + (keep ? 0 : block_size);
                      drop(head, first, count, visible, scores, dropped);
                      weights = dropped;
                    }
                    gemm(count, dv, visible, 1, {weights, S}, {values, v.stride}, 0,
                         outputs + first * out.stride, out.stride);
                  }
                });
  return memory;
}

void attention_backward(const AttentionSizes& sizes, const AttentionSettings& settings,
                        const AttentionMemory& memory, HeadsView q, HeadsView k, HeadsView v, HeadsView d_out,
                        WritableHeadsView dq, WritableHeadsView dk, WritableHeadsView dv) {
  const Index T = sizes.queries, S = sizes.keys, key_width = sizes.key_width, value_width = sizes.value_width;
  const bool kept = memory.weights.defined();
  const bool dropping = settings.dropout.active();
  const Index block_size = std::min(queries_in_block, T) * S;

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
        Real* d_scores = scratch;                               // [count, S]
        Real* recomputed = scratch + block_size;                // [count, S] unless the weights were kept
        Real* dropped = scratch + block_size * (kept ? 1 : 2);  // [count, S] when there is dropout

        // No query sees the keys from `reached` on.
        const Index reached = head.visible_keys(0, T);
        for (Index key = reached; key < S; ++key) {
          std::fill_n(d_keys + key * dk.stride, key_width, Real(0));
          std::fill_n(d_values + key * dv.stride, value_width, Real(0));
        }
        const Index blocks = (T + queries_in_block - 1) / queries_in_block;
        for (Index block = blocks - 1; block >= 0; --block) {
          const Index first = block * queries_in_block;
          const Index count = std::min(queries_in_block, T - first);
          // The first block that is worked on covers all keys, so that it can overwrite the sums of dK and
          // dV.
          const bool is_first = block == blocks - 1;
          const Index visible = is_first ? reached : head.visible_keys(first, first + count);
          const Real before = is_first ? Real(0) : Real(1);
          const MatrixView block_queries{queries + first * q.stride, q.stride};
          const MatrixView block_d_out{d_outputs + first * d_out.stride, d_out.stride};

          const Real* weights = kept ? memory.weights.data() + head.row_position(first) : recomputed;
          if (!kept) {
            gemm(count, visible, key_width, settings.scale, block_queries, {keys, k.stride, true}, 0,
                 recomputed, S);
            for (Index r = 0; r < count; ++r)
              softmax_row_again(recomputed + r * S, head.visible_keys(first + r), visible,
                                memory.log_sums.data()[head.position() * T + first + r]);
          }
          const Real* used = weights;
          if (dropping) {
            drop(head, first, count, visible, weights, dropped);
            used = dropped;
          }
          gemm(visible, value_width, count, 1, {used, S, true}, block_d_out, before, d_values, dv.stride);
          gemm(count, visible, value_width, 1, block_d_out, {values, v.stride, true}, 0, d_scores, S);
          if (dropping) drop(head, first, count, visible, d_scores, d_scores);
          for (Index r = 0; r < count; ++r) softmax_backward_row(weights + r * S, d_scores + r * S, visible);
          gemm(count, key_width, visible, settings.scale, {d_scores, S}, {keys, k.stride}, 0,
               d_queries + first * dq.stride, dq.stride);
          gemm(visible, key_width, count, settings.scale, {d_scores, S, true}, block_queries, before, d_keys,
               dk.stride);
        }
      });
}

}  // namespace gradual
