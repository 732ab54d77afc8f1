// Softmax: passes over the rows (the last axis) of a tensor. The plain versions are in
// core/reference/rows.hpp.
#pragma once

#include <gradual/core/indices.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// y_i = e^(x_i) / Σ_j e^(x_j) along the last axis, computed with the row's largest element subtracted. A row
/// of -∞ alone is all zeros.
Tensor softmax(const Tensor& x);
/// dx = y ⊙ (dy - Σ_j dy_j·y_j)
Tensor softmax_backward(const Tensor& y, const Tensor& dy);

/// y_i = x_i - log Σ_j e^(x_j) along the last axis.
Tensor log_softmax(const Tensor& x);
/// dx = dy - e^y · Σ_j dy_j
Tensor log_softmax_backward(const Tensor& y, const Tensor& dy);

/// Softmax over the first `valid` keys of each row of x [B, …, S], zero weight for the others; `valid` has
/// the first one or more axes of x, such as [B] or [B, T]. A row with no valid key is all zeros. Throws
/// std::invalid_argument when the lengths do not fit the shape or lie outside 0 … S.
Tensor masked_softmax(const Tensor& x, const Indices& valid);

// The same passes over plain rows, for kernels that hold theirs in a buffer.

/// Softmax of row[0 … valid-1] in place and zeros up to `width`.
void softmax_row(Real* row, Index valid, Index width);
/// dy ← y ⊙ (dy - Σ_j y_j·dy_j)
void softmax_backward_row(const Real* y, Real* dy, Index width);

}  // namespace gradual
