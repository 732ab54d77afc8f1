// The steps of attention on a block of scores: some neighbouring queries of a head and the keys that they
// see.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include <gradual/core/attention/attention.hpp>
#include <gradual/core/products/packed_matrix.hpp>
#include <gradual/core/products/products.hpp>

namespace gradual {

/// The scores of so many queries stay in the second-level cache.
constexpr Index most_queries = 64;
/// With more keys the weights take more memory and time than computing them again.
constexpr Index most_kept_keys = 128;
/// Whether several blocks of queries read each of many keys: a factor of their products is then put in the
/// order of PackedMatrix.
inline bool packs(const AttentionSizes& sizes) {
  return sizes.keys > most_kept_keys && 2 * sizes.queries > most_queries;
}

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
  /// Zeros in a row before and after some of the keys.
  void clear_outside(KeyRange some, Index r) const {
    clear_before(some, r);
    std::fill_n(row(r, some) + width(some), width_from(some.last), Number(0));
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

enum class Side { rows, columns };

/// The keys or the values of a head as a factor of products: they are its rows or its columns.
class KeyFactor {
 public:
  KeyFactor(const AttentionSizes& sizes, HeadsView keys, Index numbers, Side side);
  /// C ← factor·A·(the keys of a range), A [m, …]
  void multiply(Index m, MatrixView a, Real factor, KeyRange keys, Real* c, Index stride) const;

 private:
  MatrixView view_;
  Index numbers_;
  std::optional<PackedMatrix> packed_;
};
/// C ← factor·A·B + beta·C for the columns of a block of scores, A [m, k] its transpose.
void multiply_columns(const AttentionSizes& sizes, Index m, Index n, Index k, Real factor, MatrixView a,
                      MatrixView b, Real beta, Real* c, Index stride);

/// Dropout for the weights of a block, of which that of query r and key j has the number first + r·stride +
/// j.
struct BlockDropout {
  DropoutMask mask;
  Index first, stride;

  bool active() const { return mask.active(); }
  /// What the weight of query r and key from + i is multiplied by, as a function of i. All of a row are of
  /// the part that its first key is of.
  auto row(Index r, Index from) const {
    const Index start = first + r * stride;
    return [part = mask.part_of(start), number = start + from](Index i) { return part.within(number + i); };
  }
};

/// P = softmax(S) for the keys that a query sees, and 0 for the others.
void softmax(const Queries& queries, const ScoreBlock<Real>& scores);
/// U = P ⊙ the mask of dropout.
void drop(const Queries& queries, const ScoreBlock<const Real>& weights, const BlockDropout& dropout,
          const ScoreBlock<Real>& used);

/// What a row of softmax_without_total() has to be multiplied by, and what makes weights of its scores:
/// P_j = e^(S_j - top)·inverse. The two are kept apart: top + log Σ loses digits when all scores are large.
struct RowTotal {
  Real factor, top, inverse;
};
/// U divided by a number for each row, in the place of S: where nobody keeps P, the few sums of values are
/// multiplied and not the many weights.
void softmax_without_total(const Queries& queries, const ScoreBlock<Real>& scores,
                           const BlockDropout& dropout, RowTotal* totals);
/// P once more, from the scores and what was kept of each row, `top` and `inverse`, and U where there is
/// dropout.
void softmax_again(const Queries& queries, const ScoreBlock<Real>& scores, const Real* kept,
                   const BlockDropout& dropout, const ScoreBlock<Real>& used);
/// dS = U ⊙ dP - P·Σ_j U_j·dP_j, in the place of dP.
void softmax_backward(const Queries& queries, const ScoreBlock<const Real>& weights,
                      const ScoreBlock<const Real>& used, const ScoreBlock<Real>& gradients);

}  // namespace gradual
