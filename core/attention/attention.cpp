#include <gradual/core/attention/attention.hpp>

#include <algorithm>
#include <optional>

#include <gradual/core/attention/score_block.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/products/packed_matrix.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

MatrixView rows_from(HeadsView rows, Index first) {
  return {rows.data + first * rows.stride, rows.stride, false};
}

// One head of one sentence.
struct Head {
  const AttentionSizes& sizes;
  const AttentionSettings& settings;
  Index batch, index;

  Index position() const { return batch * sizes.heads + index; }
  // Where dropout's numbering of a query's weights starts, and where they lie when they are kept.
  Index weights_position(Index query) const { return (position() * sizes.queries + query) * sizes.keys; }
  // Where the bias of a query and a key stands among those of the head.
  Index distance(Index query, Index key) const { return key - query + sizes.queries - 1; }
  // Its own rows in a view of all heads.
  template <class View>
  View own(View all, Index rows, Index columns) const {
    return {all.data + batch * rows * all.stride + index * columns, all.stride};
  }
  BlockDropout dropout(const Queries& queries) const {
    return {settings.dropout, weights_position(queries.first), sizes.keys};
  }
  template <class Number>
  ScoreBlock<Number> kept_rows(Number* weights, const Queries& queries) const {
    return {weights + weights_position(queries.first), sizes.keys, queries.count, {0, sizes.keys}};
  }

  KeyRange visible_keys(Index query) const {
    KeyRange keys = {0, sizes.keys};
    if (settings.mask.causal || settings.mask.window > 0)
      keys = visible_places(settings.mask, query, sizes.queries, sizes.keys);
    const Indices& lengths = settings.mask.valid_lengths;
    if (lengths.size() > 0)
      keys.last = std::min<Index>(
          keys.last, lengths.shape().rank() == 1 ? lengths[batch] : lengths[batch * sizes.queries + query]);
    return keys;
  }
  // A query that sees no key does not widen the range of the others: its place may lie anywhere.
  Queries queries_from(Index first) const {
    Queries queries;
    queries.first = first;
    queries.count = std::min(most_queries, sizes.queries - first);
    KeyRange all = {sizes.keys, 0};
    for (Index r = 0; r < queries.count; ++r) {
      const KeyRange own = queries.seen_by[static_cast<std::size_t>(r)] = visible_keys(first + r);
      if (width(own) > 0) all = {std::min(all.first, own.first), std::max(all.last, own.last)};
    }
    if (width(all) < 0) all = {0, 0};
    for (Index r = 0; r < queries.count; ++r)
      if (width(queries.seen(r)) <= 0) queries.seen_by[static_cast<std::size_t>(r)] = {all.first, all.first};
    const Index panel = packs(sizes) ? PackedMatrix::panel_width() : 1;
    queries.keys = all;
    queries.scored = {all.first / panel * panel,
                      std::min((all.last + panel - 1) / panel * panel, sizes.keys)};
    return queries;
  }
  template <class Step>
  void for_each_block(Step step) const {
    for (Index first = 0; first < sizes.queries; first += most_queries) step(queries_from(first));
  }
};

// Room for some blocks of scores.
struct Scratch {
  Real* data;
  Index rows, stride;

  Scratch(const AttentionSizes& sizes, const AttentionMask& mask)
      : data(nullptr), rows(std::min(most_queries, sizes.queries)), stride(sizes.keys) {
    if (mask.window > 0 && mask.window < sizes.keys)
      stride = std::min(rows + 2 * (mask.window + PackedMatrix::panel_width()), sizes.keys);
  }
  ScoreBlock<Real> block(Index i, const Queries& queries) const {
    return {data + i * rows * stride, stride, queries.count, queries.scored};
  }
};

// Calls body(head, scratch) for every head; heads are shared out in fixed groups, each with room of its own
// for some blocks.
template <class Body>
void for_each_head(const AttentionSizes& sizes, const AttentionSettings& settings, Index blocks, Body body) {
  const Index heads = sizes.batch * sizes.heads;
  if (heads == 0) return;  // however many queries and keys each would have
  const Scratch scratch(sizes, settings.mask);
  const Index work = sizes.queries * scratch.stride * (sizes.key_width + sizes.value_width);
  const Index groups = even_chunks(heads * work / 65536, std::min<Index>(16, heads));
  Tensor memory({groups, blocks, scratch.rows, scratch.stride});
  parallel_for(groups, [&, data = memory.unguarded_data()](Index group) {
    Scratch own = scratch;
    own.data = data + group * blocks * scratch.rows * scratch.stride;
    for (Index i = heads * group / groups; i < heads * (group + 1) / groups; ++i)
      body(Head{sizes, settings, i / sizes.heads, i % sizes.heads}, own);
  });
}

// S = scale·Q·Kᵀ + bias, the bias for the keys that are seen
void score(const Head& head, const Queries& queries, HeadsView q, const KeyFactor& keys,
           const ScoreBlock<Real>& scores) {
  keys.multiply(queries.count, rows_from(q, queries.first), head.settings.scale, queries.scored,
                scores.columns(queries.scored).data(), scores.stride());
  if (!head.settings.bias.defined()) return;
  const Real* biases = head.settings.bias.data() + head.index * head.settings.bias.dim(1);
  for (Index r = 0; r < queries.count; ++r) {
    const KeyRange seen = queries.seen(r);
    const Real* bias = biases + head.distance(queries.first + r, seen.first);
    Real* row = scores.row(r, seen);
#pragma omp simd
    for (Index j = 0; j < width(seen); ++j) row[j] += bias[j];
  }
}

// d bias[distance] += dS
void add_to_biases(const Head& head, const Queries& queries, const ScoreBlock<Real>& d_scores, Real* sums) {
  const Index count = width(queries.keys);
  for (Index r = 0; r < queries.count; ++r) {
    Real* to = sums + head.distance(queries.first + r, queries.keys.first);
    const Real* from = d_scores.row(r, queries.keys);
#pragma omp simd
    for (Index j = 0; j < count; ++j) to[j] += from[j];
  }
}

void clear(WritableHeadsView rows, Index first, Index last, Index columns) {
  for (Index n = first; n < last; ++n) std::fill_n(rows.data + n * rows.stride, columns, Real(0));
}

void multiply(Real* row, Index count, Real factor) {
#pragma omp simd
  for (Index i = 0; i < count; ++i) row[i] *= factor;
}

void check_attention(const AttentionSizes& sizes, const AttentionSettings& settings) {
  for (const Index size :
       {sizes.batch, sizes.heads, sizes.queries, sizes.keys, sizes.key_width, sizes.value_width}) {
    if (size < 0) throw std::invalid_argument(text("attention: sizes must not be negative: got ", size));
  }
  check_attention_mask(settings.mask, sizes);
  const Shape expected{sizes.heads, std::max<Index>(sizes.queries + sizes.keys - 1, 0)};
  if (settings.bias.defined() && settings.bias.shape() != expected)
    throw std::invalid_argument(
        text("attention: the bias must have a number for each head and distance, [H, T + S - 1]: expected ",
             expected, ", got ", settings.bias.shape()));
}

}  // namespace

AttentionMemory attention_forward(const AttentionSizes& sizes, const AttentionSettings& settings, HeadsView q,
                                  HeadsView k, HeadsView v, WritableHeadsView out, bool all_weights) {
  check_attention(sizes, settings);
  const bool keep = all_weights || sizes.keys <= most_kept_keys, dropping = settings.dropout.active();
  AttentionMemory memory;
  if (keep)
    memory.weights = Tensor({sizes.batch, sizes.heads, sizes.queries, sizes.keys});
  else
    memory.totals = Tensor({sizes.batch, sizes.heads, sizes.queries, 2});
  Real* const kept = keep ? memory.weights.unguarded_data() : memory.totals.unguarded_data();

  for_each_head(sizes, settings, keep && !dropping ? 0 : 1, [&](const Head& head, const Scratch& scratch) {
    const HeadsView queries = head.own(q, sizes.queries, sizes.key_width);
    const WritableHeadsView outputs = head.own(out, sizes.queries, sizes.value_width);
    const KeyFactor keys(sizes, head.own(k, sizes.keys, sizes.key_width), sizes.key_width, Side::columns);
    const KeyFactor values(sizes, head.own(v, sizes.keys, sizes.value_width), sizes.value_width, Side::rows);
    head.for_each_block([&](const Queries& block) {
      const ScoreBlock<Real> room = scratch.block(0, block);
      const ScoreBlock<Real> rows = keep ? head.kept_rows(kept, block) : room;
      const ScoreBlock<Real> weights = rows.columns(block.keys),
                             used = dropping ? room.columns(block.keys) : weights;
      Real* const sums = outputs.data + block.first * out.stride;
      std::array<RowTotal, most_queries> totals;
      score(head, block, queries, keys, rows);
      if (keep)
        softmax(block, rows);
      else
        softmax_without_total(block, weights, head.dropout(block), totals.data());
      if (keep && dropping) drop(block, weights, head.dropout(block), used);
      values.multiply(block.count, used.view(), 1, block.keys, sums, out.stride);
      if (keep) return;
      Real* row_totals = kept + 2 * (head.position() * sizes.queries + block.first);
      for (Index r = 0; r < block.count; ++r) {
        const auto [factor, top, inverse] = totals[static_cast<std::size_t>(r)];
        multiply(sums + r * out.stride, sizes.value_width, factor);
        *row_totals++ = top;
        *row_totals++ = inverse;
      }
    });
  });
  return memory;
}

Tensor attention_backward(const AttentionSizes& sizes, const AttentionSettings& settings,
                          const AttentionMemory& memory, HeadsView q, HeadsView k, HeadsView v,
                          HeadsView d_out, WritableHeadsView dq, WritableHeadsView dk, WritableHeadsView dv,
                          bool with_bias) {
  check_attention(sizes, settings);
  const bool kept = memory.weights.defined(), dropping = settings.dropout.active();
  // The sums for each sentence apart, so that threads can share the heads.
  const Index distances = std::max<Index>(sizes.queries + sizes.keys - 1, 0);
  Tensor bias_sums = with_bias ? Tensor::zeros({sizes.batch, sizes.heads, distances}) : Tensor();
  Real* const d_biases = with_bias ? bias_sums.unguarded_data() : nullptr;

  for_each_head(sizes, settings, 1 + !kept + dropping, [&](const Head& head, const Scratch& scratch) {
    const HeadsView queries = head.own(q, sizes.queries, sizes.key_width);
    const HeadsView own_keys = head.own(k, sizes.keys, sizes.key_width);
    const HeadsView d_outputs = head.own(d_out, sizes.queries, sizes.value_width);
    const WritableHeadsView d_queries = head.own(dq, sizes.queries, sizes.key_width);
    const WritableHeadsView d_keys = head.own(dk, sizes.keys, sizes.key_width);
    const WritableHeadsView d_values = head.own(dv, sizes.keys, sizes.value_width);
    const KeyFactor values(sizes, head.own(v, sizes.keys, sizes.value_width), sizes.value_width,
                           Side::columns);
    const KeyFactor keys(sizes, own_keys, sizes.key_width, Side::rows);
    std::optional<KeyFactor> scored_keys;
    if (!kept) scored_keys.emplace(sizes, own_keys, sizes.key_width, Side::columns);
    // A single block writes what its queries see; the sums of several start from zeros.
    const bool single = 0 < sizes.queries && sizes.queries <= most_queries;
    const Real before = single ? Real(0) : Real(1);
    const auto clear_rows = [&](Index from, Index to) {
      clear(d_keys, from, to, sizes.key_width);
      clear(d_values, from, to, sizes.value_width);
    };
    if (!single) clear_rows(0, sizes.keys);
    head.for_each_block([&](const Queries& block) {
      const Index first = block.first, count = block.count, key = block.keys.first, seen = width(block.keys);
      if (single) {
        clear_rows(0, key);
        clear_rows(block.keys.last, sizes.keys);
      }
      const ScoreBlock<Real> d_room = scratch.block(0, block), d_scores = d_room.columns(block.keys);
      const ScoreBlock<Real> room = scratch.block(1, block), dropped = scratch.block(kept ? 1 : 2, block);
      ScoreBlock<const Real> weights = room.columns(block.keys);
      if (kept) {
        weights = head.kept_rows(memory.weights.data(), block).columns(block.keys);
      } else {
        score(head, block, queries, *scored_keys, room);
        softmax_again(block, room.columns(block.keys),
                      memory.totals.data() + 2 * (head.position() * sizes.queries + first),
                      head.dropout(block), dropped.columns(block.keys));
      }
      if (kept && dropping) drop(block, weights, head.dropout(block), dropped.columns(block.keys));
      const ScoreBlock<const Real> used =
          dropping ? ScoreBlock<const Real>(dropped.columns(block.keys)) : weights;
      const MatrixView d_out_rows = rows_from(d_outputs, first);
      multiply_columns(sizes, seen, sizes.value_width, count, 1, used.view(true), d_out_rows, before,
                       d_values.data + key * dv.stride, dv.stride);
      values.multiply(count, d_out_rows, 1, block.scored, d_room.data(), d_room.stride());
      softmax_backward(block, weights, used, d_scores);
      if (with_bias) add_to_biases(head, block, d_scores, d_biases + head.position() * distances);
      keys.multiply(count, d_scores.view(), settings.scale, block.keys, d_queries.data + first * dq.stride,
                    dq.stride);
      multiply_columns(sizes, seen, sizes.key_width, count, settings.scale, d_scores.view(true),
                       rows_from(queries, first), before, d_keys.data + key * dk.stride, dk.stride);
    });
  });
  return with_bias ? sum(bias_sums, {0}).with_shape({sizes.heads, distances}) : Tensor();
}

}  // namespace gradual
