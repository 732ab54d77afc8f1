#include <gradual/core/attention/score_block.hpp>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

void softmax(const Queries& queries, const ScoreBlock<Real>& scores, Real* log_sums) {
  for (Index r = 0; r < queries.count; ++r) {
    const KeyRange seen = queries.seen(r);
    scores.clear_before(seen, r);
    const RowSum sum = softmax_row(scores.row(r, seen), width(seen), scores.width_from(seen.first));
    if (log_sums) log_sums[r] = sum.log();
  }
}

void softmax_again(const Queries& queries, const ScoreBlock<Real>& scores, const Real* log_sums) {
  for (Index r = 0; r < queries.count; ++r) {
    const KeyRange seen = queries.seen(r);
    scores.clear_before(seen, r);
    softmax_row_again(scores.row(r, seen), width(seen), scores.width_from(seen.first), log_sums[r]);
  }
}

void drop(const Queries& queries, const ScoreBlock<const Real>& weights, DropoutMask mask, Index first_weight,
          Index stride, const ScoreBlock<Real>& used) {
  const Index count = width(queries.keys);
  for (Index r = 0; r < queries.count; ++r) {
    const Index position = first_weight + r * stride + queries.keys.first;
    const Real* from = weights.row(r, queries.keys);
    Real* to = used.row(r, queries.keys);
#pragma omp simd
    for (Index j = 0; j < count; ++j) to[j] = from[j] * mask(position + j);
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
