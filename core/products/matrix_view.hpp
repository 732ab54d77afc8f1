// Matrices where they lie.
#pragma once

#include <gradual/core/error.hpp>
#include <gradual/core/real.hpp>

namespace gradual {

/// A matrix inside a larger block: where it starts, how far apart its rows are, and whether it is meant
/// transposed.
struct MatrixView {
  const Real* data;         ///< the first number
  Index stride;             ///< from one row to the next
  bool transposed = false;  ///< whether rows are read as columns

  /// The matrix from a row and a column on.
  MatrixView from(Index row, Index column) const {
    return {data + (transposed ? column * stride + row : row * stride + column), stride, transposed};
  }
};

/// Throws std::invalid_argument for a negative size, and for no matrix where there must be one.
inline void check_matrix(const char* name, Index rows, Index columns, const MatrixView& x) {
  if (rows < 0 || columns < 0 || (rows > 0 && columns > 0 && !x.data))
    throw std::invalid_argument(
        text(name, ": there must be a matrix: it is ", rows, " × ", columns, x.data ? "" : ", and null"));
}

/// What becomes of a product: C ← alpha·A·B + beta·C, or alpha·A·B + bias in each row.
struct ProductResult {
  Real* c;
  Index stride;
  Real alpha = 1, beta = 0;
  const Real* bias = nullptr;  ///< [n]; counts only where beta is 0

  /// The same for the result from a row and a column on.
  ProductResult from(Index row, Index column) const {
    return {c + row * stride + column, stride, alpha, beta, bias ? bias + column : nullptr};
  }
};

}  // namespace gradual
