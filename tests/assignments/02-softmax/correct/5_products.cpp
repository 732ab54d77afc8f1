// Exponentials times a mask of 1 and 0.
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor masked_softmax(const Tensor& x, const Indices& valid) {
  const Index S = x.dim(-1), rows_of_a_length = x.size() / S / valid.size();
  Tensor there(x.shape());
  for (Index i = 0; i < x.size(); ++i)
    there.mutable_data()[i] = i % S < valid[i / S / rows_of_a_length] ? Real(1) : Real(0);
  const Tensor seen = x * there + (there - 1) * Real(1e30);
  const Tensor e = exp(seen - max(seen, {-1}, Axis::kept)) * there, total = sum(e, {-1}, Axis::kept);
  Tensor divisor = total;
  for (Index r = 0; r < divisor.size(); ++r)
    if (divisor.data()[r] == 0) divisor.mutable_data()[r] = 1;
  return e / divisor;
}

}  // namespace gradual
