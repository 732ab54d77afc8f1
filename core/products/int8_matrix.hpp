// Matrix products in 8 bits: a quarter of the memory, and several products in the time of one.
#pragma once

#include <vector>

#include <gradual/core/products/quantized_rows.hpp>

namespace gradual {

/// The rows of a left factor A [m, k] in 8 bits, as Int8Matrix reads them.
class Int8Rows {
 public:
  /// Throws what quantize_rows() does.
  Int8Rows(Index m, Index k, MatrixView a);
  /// How many rows the matrix has.
  Index rows() const { return m_; }
  /// How many columns.
  Index columns() const { return k_; }

 private:
  friend class Int8Matrix;
  explicit Int8Rows(QuantizedRows a);

  Index m_, k_;
  Tensor scales_;  // [m]
  Block factors_;  // [m, steps, group]: see int8_tiles.hpp
};

/// A matrix B [k, n] in 8 bits, each column with a scale of its own, in panels as in a PackedMatrix:
///   (A·B)ᵢⱼ ≈ sᵢ·tⱼ·Σₚ qᵢₚ·rₚⱼ  with A ≈ sᵢ·qᵢₚ and B ≈ tⱼ·rₚⱼ as in QuantizedRows
/// (Jacob et al. 2018, eqs. 3 and 4, without zero points). The sum is exact, in 32 bits; what is lost was
/// lost before: at most Σₚ (sᵢ·|bₚⱼ| + tⱼ·|aᵢₚ|)/2 + k·sᵢ·tⱼ/4. The plain version is reference::int8_matmul.
class Int8Matrix {
 public:
  /// Throws std::invalid_argument for a negative size, for no matrix where there must be one, and for more
  /// rows than 32 bits hold sums of.
  Int8Matrix(Index k, Index n, MatrixView b);
  /// Wᵀ for the weight W [n, k] of a linear layer. Throws std::invalid_argument unless it has two axes.
  static Int8Matrix of_weight(const Tensor& weight);

  Index rows() const { return k_; }
  Index columns() const { return n_; }
  Index panels() const { return static_cast<Index>(starts_.size()) / panel_width(); }
  /// The columns of a panel; the last one may have fewer.
  static Index panel_width();

  /// The columns of the panels first … last - 1 of A·B for the rows first_row … last_row - 1 of A, on the
  /// calling thread. `result` is where the first of these rows and columns goes; its bias, too, begins there.
  /// Throws std::invalid_argument where A does not fit or there are no such rows or panels.
  void multiply(const Int8Rows& a, Index first_row, Index last_row, Index first, Index last,
                const ProductResult& result) const;

 private:
  Int8Matrix(Index k, Index n, const QuantizedRows& columns);

  Index k_, n_;
  Tensor scales_;                     // [panels · panel width]
  std::vector<std::int32_t> starts_;  // [panels · panel width]: of the sums
  Block panels_;                      // [panels, steps, panel width, group], with zeros where B has ended
};

/// A·B for A [m, k], shared out to the thread pool.
void parallel_multiply(Index m, MatrixView a, const Int8Matrix& b, const ProductResult& result);

}  // namespace gradual
