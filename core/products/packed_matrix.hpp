// Matrix products with a factor in the order in which it is read.
//
// OpenBLAS copies both factors in every product, and goes over the result three times: to clear it, to read
// it and to write it. That is little where matrices are large. The matrices of small transformers are long
// and narrow, a thousand rows of a hundred numbers; there memory decides, and this kernel, which copies only
// the second factor and writes the result once, is faster.
#pragma once

#include <gradual/core/products/matrix_view.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// A matrix B [k, n] in panels: some columns side by side, all of their rows below each other. A product then
/// reads it once, from start to end.
class PackedMatrix {
 public:
  /// Throws std::invalid_argument for a negative size, and for no matrix where there must be one.
  PackedMatrix(Index k, Index n, MatrixView b);
  /// Wᵀ for the weight W [n, k] of a linear layer. Throws std::invalid_argument unless it has two axes.
  static PackedMatrix of_weight(const Tensor& weight);

  /// How many rows the matrix has.
  Index rows() const { return k_; }
  /// The rows first … last - 1 as a matrix of their own, without a copy.
  PackedMatrix rows(Index first, Index last) const;
  /// How many columns.
  Index columns() const { return n_; }
  Index panels() const { return panels_.dim(0); }
  /// The columns of a panel; the last one may have fewer.
  static Index panel_width();

  /// The columns of the panels first … last - 1 of A·B for A [m, k], on the calling thread. `result` is where
  /// the first of these columns goes; its bias, too, begins there.
  void multiply(Index m, MatrixView a, Index first, Index last, const ProductResult& result) const;

 private:
  Index k_, n_;
  Tensor panels_;        // [panels, rows, panel width], with zeros behind the last column
  Index first_row_ = 0;  // of k_ in the panels
};

/// Whether parallel_multiply(), with the packing, takes less time than OpenBLAS: where A is long and B is
/// small.
bool prefers_packing(Index m, Index n, Index k, const MatrixView& a);
/// A·B for A [m, k], shared out to the thread pool.
void parallel_multiply(Index m, MatrixView a, const PackedMatrix& b, const ProductResult& result);

}  // namespace gradual
