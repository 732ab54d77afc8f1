// Tensors as the kernels of attention see them, columns of wider tables.
#pragma once

#include <gradual/core/attention/attention.hpp>

namespace gradual {

/// x [batch, places, columns] from the column `first` on.
inline HeadsView view(const Tensor& x, Index first = 0) { return {x.data() + first, x.dim(-1)}; }
inline WritableHeadsView writable(Tensor& x) { return {x.mutable_data(), x.dim(-1)}; }

}  // namespace gradual
