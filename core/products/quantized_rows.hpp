// Numbers as whole ones of 8 bits, with a scale for each row.
#pragma once

#include <cstdint>

#include <gradual/core/products/matrix_view.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// xᵢₚ ≈ sᵢ·qᵢₚ with sᵢ = maxₚ|xᵢₚ|/127 and the whole numbers qᵢₚ = round(xᵢₚ/sᵢ), of equally near ones the
/// even one: -127 … 127 (Jacob et al. 2018, eq. 1, with the zero point Z = 0). No number is off by more than
/// sᵢ/2.
///
/// A row in which a number is not finite has the scale NaN, and so has every product with it. One whose
/// numbers are all so small that 127/maxₚ|xᵢₚ| is infinite has the scale 0: it counts as zeros.
struct QuantizedRows {
  Index rows, columns;
  Tensor scales;  // [rows]
  Block bytes;    // [rows, columns]

  /// The whole numbers qᵢ of row i.
  const std::int8_t* row(Index i) const {
    return reinterpret_cast<const std::int8_t*>(bytes.data()) + i * columns;
  }
};

/// The rows of a matrix in 8 bits. Throws std::invalid_argument for a negative size, and for no matrix where
/// there must be one.
QuantizedRows quantize_rows(Index rows, Index columns, MatrixView x);

}  // namespace gradual
