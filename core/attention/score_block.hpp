// The steps of attention on a block of scores: some neighbouring queries of a head and the keys that they
// see.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>

#include <gradual/core/attention/attention.hpp>
#include <gradual/core/products/products.hpp>

namespace gradual {

/// The scores of so many queries stay in the second-level cache.
constexpr Index most_queries = 64;

/// How many keys a range has.
inline Index width(KeyRange keys) { return keys.last - keys.first; }

/// Neighbouring queries of a head, the keys that each of them sees, a range that holds all of these, and the
/// keys that scores are computed for, which are whole panels where the keys are packed.
struct Queries {
  Index first, count;
  std::array<KeyRange, most_queries> seen_by;
  KeyRange keys, scored;

  /// The keys that query first + r sees.
  KeyRange seen(Index r) const { return seen_by[static_cast<std::size_t>(r)]; }
};

/// Scores, weights or their gradients: a row for each query of a block and a column for each key of a range.
/// Debug builds check every access.
template <class Number>
class ScoreBlock {
 public:
  ScoreBlock(Number* data, Index stride, Index rows, KeyRange keys)
      : data_(data), stride_(stride), rows_(rows), keys_(keys) {
    assert(0 <= width(keys) && width(keys) <= stride);
  }
  operator ScoreBlock<const Number>() const { return {data_, stride_, rows_, keys_}; }
  /// The columns of some of the keys.
  ScoreBlock columns(KeyRange some) const { return {row(0, some), stride_, rows_, some}; }
  /// Where some of the keys stand in a row.
  Number* row(Index r, KeyRange some) const {
    assert(0 <= r && r < rows_ && keys_.first <= some.first && some.last <= keys_.last);
    return data_ + r * stride_ + some.first - keys_.first;
  }
  /// How many keys there are from one on.
  Index width_from(Index key) const { return keys_.last - key; }
  /// Zeros in a row before some of the keys.
  void clear_before(KeyRange some, Index r) const {
    if (keys_.first < some.first) std::fill(row(r, keys_), row(r, some), Number(0));
  }
  /// The block as a factor of a matrix product.
  MatrixView view(bool transposed = false) const { return {data_, stride_, transposed}; }
  Number* data() const { return data_; }
  Index stride() const { return stride_; }

 private:
  Number* data_;
  Index stride_, rows_;
  KeyRange keys_;
};

/// P = softmax(S) for the keys that a query sees, and 0 for the others. `log_sums`, unless null, receives log
/// Σ eˢ of each row.
void softmax(const Queries& queries, const ScoreBlock<Real>& scores, Real* log_sums);
/// The weights of softmax() once more, from the scores and those logarithms.
void softmax_again(const Queries& queries, const ScoreBlock<Real>& scores, const Real* log_sums);
/// U = P ⊙ the mask of dropout, in which the weights of query r and key j have the number first_weight +
/// r·stride + j.
void drop(const Queries& queries, const ScoreBlock<const Real>& weights, DropoutMask mask, Index first_weight,
          Index stride, const ScoreBlock<Real>& used);
/// dS = U ⊙ dP - P·Σ_j U_j·dP_j, in the place of dP.
void softmax_backward(const Queries& queries, const ScoreBlock<const Real>& weights,
                      const ScoreBlock<const Real>& used, const ScoreBlock<Real>& gradients);

}  // namespace gradual
