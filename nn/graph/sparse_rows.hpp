// Rows of numbers most of which are zero, such as which of 1,433 words occur in each of 2,708 papers.
#pragma once

#include <vector>

#include <gradual/autograd/operations.hpp>

namespace gradual {

/// A number that is not zero, in its row.
struct SparseEntry {
  Index column;  // where it stands
  Real value;    // what stands there
};

/// A constant matrix [N, F] that holds only what is not zero: each entry is an edge from its column to its
/// row. Copies share the entries.
class SparseRows {
 public:
  /// Throws std::invalid_argument when a column lies outside 0 … F - 1. Entries of one place add up.
  SparseRows(Index columns, const std::vector<std::vector<SparseEntry>>& rows);

  /// How many rows there are.
  Index rows() const { return rows_; }
  /// How wide they are.
  Index columns() const { return columns_; }
  /// The number of entries.
  Index size() const { return edges_.size(); }

  /// y = dropout(x)·Wᵀ for the matrix x and W [out, F]: [N, out], at a cost of out for each entry. Zeros need
  /// no dropout. Throws std::invalid_argument when W does not fit.
  Var linear(const Var& weight, DropoutMask mask = {}) const;
  /// The matrix with its zeros, [N, F].
  Tensor dense() const;

 private:
  Index rows_, columns_;
  EdgeList edges_;  // node i is column i as a source and row i as a target
  Tensor values_;   // [E, 1]
};

}  // namespace gradual
