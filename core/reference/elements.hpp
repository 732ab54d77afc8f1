// Broadcasting, reductions and arrangement, plainly.
#pragma once

#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/reference/array.hpp>

namespace gradual::reference {

/// x summed over the axes along which it was repeated from a shape: the derivative of broadcasting.
Array sum_to(const Array& x, const Shape& shape);

/// Σ x over some axes, which become size 1.
Array sum(const Array& x, const std::vector<Index>& axes);
/// The largest element over some axes, which become size 1; there is at least one.
Array max(const Array& x, const std::vector<Index>& axes);
/// dy, shared by the elements that are the largest.
Array max_backward(const Array& x, const std::vector<Index>& axes, const Array& dy);
/// Σ (x - mean)² / n over some axes, which become size 1.
Array variance(const Array& x, const std::vector<Index>& axes);
/// 2·(x - mean)·dy / n
Array variance_backward(const Array& x, const std::vector<Index>& axes, const Array& dy);
/// y_i = Σ_{j <= i} x_j along an axis.
Array cumsum(const Array& x, Index axis);
/// dx_j = Σ_{i >= j} dy_i
Array cumsum_backward(const Array& dy, Index axis);

/// y[i_order[0], i_order[1], …] = x[i_0, i_1, …]
Array transpose(const Array& x, const std::vector<Index>& order);
/// first … last - 1 along an axis.
Array slice(const Array& x, Index axis, Index first, Index last);
/// y[…, i, …] = x[…, indices[…, i, …], …] along an axis of the first three.
Array gather(const Array& x, Index axis, const Indices& indices);
/// dx[…, indices[…, i, …], …] += dy[…, i, …]
Array gather_backward(const Array& x, Index axis, const Indices& indices, const Array& dy);
/// y[…, d] = table[indices[…], d]
Array take_rows(const Array& table, const Indices& indices);
/// d_table[indices[…], d] += dy[…, d]
Array take_rows_backward(const Array& table, const Indices& indices, const Array& dy);

}  // namespace gradual::reference
