#include <gradual/core/attention/score_block.hpp>

#include <gradual/core/rows/passes.hpp>
#include <gradual/core/rows/rows.hpp>

namespace gradual {
namespace {

// row ← e^(row - top) ⊙ mask; the result is Σ e^(row - top).
template <class Mask>
Real exponentials(Real* row, Index count, Real top, Mask mask) {
  Real total = 0;
#pragma omp simd reduction(+ : total)
  for (Index j = 0; j < count; ++j) {
    const Real e = vector_exp_of_negative(row[j] - top);
    total += e;
    row[j] = e * mask(j);
  }
  return total;
}

}  // namespace

KeyFactor::KeyFactor(const AttentionSizes& sizes, HeadsView keys, Index numbers, Side side)
    : view_{keys.data, keys.stride, side == Side::columns}, numbers_(numbers) {
  if (packs(sizes) && side == Side::rows) packed_.emplace(sizes.keys, numbers, view_);
  if (packs(sizes) && side == Side::columns) packed_.emplace(numbers, sizes.keys, view_);
}

void KeyFactor::multiply(Index m, MatrixView a, Real factor, KeyRange keys, Real* c, Index stride) const {
  const Index panel = PackedMatrix::panel_width();  // ranges start and end with one
  if (view_.transposed && packed_)
    packed_->multiply(m, a, keys.first / panel, (keys.last + panel - 1) / panel, {c, stride, factor});
  else if (view_.transposed)
    gemm(m, width(keys), numbers_, factor, a, view_.from(0, keys.first), 0, c, stride);
  else if (packed_)
    packed_->rows(keys.first, keys.last).multiply(m, a, 0, packed_->panels(), {c, stride, factor});
  else
    gemm(m, numbers_, width(keys), factor, a, view_.from(keys.first, 0), 0, c, stride);
}

void multiply_columns(const AttentionSizes& sizes, Index m, Index n, Index k, Real factor, MatrixView a,
                      MatrixView b, Real beta, Real* c, Index stride) {
  if (!packs(sizes) || n == 0 || k == 0) return gemm(m, n, k, factor, a, b, beta, c, stride);
  const PackedMatrix packed(k, n, b);
  packed.multiply(m, a, 0, packed.panels(), {c, stride, factor, beta});
}

void softmax(const Queries& queries, const ScoreBlock<Real>& scores) {
  for (Index r = 0; r < queries.count; ++r) {
    const KeyRange seen = queries.seen(r);
    scores.clear_before(seen, r);
    softmax_row(scores.row(r, seen), width(seen), scores.width_from(seen.first));
  }
}

void drop(const Queries& queries, const ScoreBlock<const Real>& weights, const BlockDropout& dropout,
          const ScoreBlock<Real>& used) {
  const Index count = width(queries.keys);
  for (Index r = 0; r < queries.count; ++r) {
    const auto mask = dropout.row(r, queries.keys.first);
    const Real* from = weights.row(r, queries.keys);
    Real* to = used.row(r, queries.keys);
#pragma omp simd
    for (Index j = 0; j < count; ++j) to[j] = from[j] * mask(j);
  }
}

void softmax_without_total(const Queries& queries, const ScoreBlock<Real>& scores,
                           const BlockDropout& dropout, RowTotal* totals) {
  for (Index r = 0; r < queries.count; ++r) {
    const KeyRange seen = queries.seen(r);
    const Index count = width(seen);
    scores.clear_outside(seen, r);
    Real* row = scores.row(r, seen);
    const Real top = exponent_offset(row, count);
    // They sum to at most 1, so that no sum of values overflows; a power of two costs no digits.
    Real share = 1;
    while (share * static_cast<Real>(count) > 1) share /= 2;
    BlockDropout in_shares = dropout;
    in_shares.mask.scale *= share;
    const Real total = dropout.active() ? exponentials(row, count, top, in_shares.row(r, seen.first))
                                        : exponentials(row, count, top, [=](Index) { return share; });
    const Real inverse = inverse_total(total);
    totals[r] = {inverse / share, top, inverse};
  }
}

void softmax_again(const Queries& queries, const ScoreBlock<Real>& scores, const Real* kept,
                   const BlockDropout& dropout, const ScoreBlock<Real>& used) {
  for (Index r = 0; r < queries.count; ++r) {
    const KeyRange seen = queries.seen(r);
    const Index count = width(seen);
    const Real top = kept[2 * r], inverse = kept[2 * r + 1];
    scores.clear_outside(seen, r);
    Real* row = scores.row(r, seen);
    if (!dropout.active()) {
#pragma omp simd
      for (Index j = 0; j < count; ++j) row[j] = vector_exp_of_negative(row[j] - top) * inverse;
      continue;
    }
    used.clear_outside(seen, r);
    Real* to = used.row(r, seen);
    const auto mask = dropout.row(r, seen.first);
#pragma omp simd
    for (Index j = 0; j < count; ++j) {
      row[j] = vector_exp_of_negative(row[j] - top) * inverse;
      to[j] = row[j] * mask(j);
    }
  }
}

void softmax_backward(const Queries& queries, const ScoreBlock<const Real>& weights,
                      const ScoreBlock<const Real>& used, const ScoreBlock<Real>& gradients) {
  const Index count = width(queries.keys);
  for (Index r = 0; r < queries.count; ++r) {
    const Real *p = weights.row(r, queries.keys), *u = used.row(r, queries.keys);
    Real* d = gradients.row(r, queries.keys);
    Real dot = 0;
#pragma omp simd reduction(+ : dot)
    for (Index j = 0; j < count; ++j) dot += u[j] * d[j];
#pragma omp simd
    for (Index j = 0; j < count; ++j) d[j] = u[j] * d[j] - p[j] * dot;
  }
}

}  // namespace gradual
