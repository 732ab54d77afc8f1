// Dropout whose mask is computed, not stored. The plain versions, given a mask, are in
// core/reference/layers.hpp.
#pragma once

#include <cstdint>

#include <gradual/core/elements/vector_math.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// Which elements dropout keeps: a pure function of a key and the element's position, so that the backward
/// pass, and any thread, can compute it again instead of reading a stored mask. A default one keeps
/// everything.
struct DropoutMask {
  std::uint32_t key = 0;        // says which elements are dropped
  std::uint32_t threshold = 0;  // an element is dropped when its hash lies below
  Real scale = 1;               // 1 / (1 - p) keeps the expected value

  DropoutMask() = default;
  /// Drops with probability p in [0, 1); throws std::invalid_argument otherwise.
  DropoutMask(double p, std::uint32_t random_key);

  /// False where everything is kept.
  bool active() const { return threshold != 0; }
  /// 0 or 1/(1 - p).
  Real operator()(Index position) const { return part_of(position).within(position); }

  /// For loops: the mask of the 2^32 positions that have the upper bits of this one, which would repeat each
  /// other without a key of their own; within() then looks at the lower bits alone.
  DropoutMask part_of(Index position) const {
    DropoutMask part = *this;
    part.key ^= static_cast<std::uint32_t>(position >> 32) * 0x9e3779b9u;
    return part;
  }
  Real within(Index position) const {
    return hash32(static_cast<std::uint32_t>(position), key) < threshold ? Real(0) : scale;
  }
};

/// y_i = x_i·mask(i) (Srivastava et al. 2014); its own derivative.
Tensor apply_dropout(const Tensor& x, DropoutMask mask);
/// x_i + y_i·mask(i) in one pass, for equal shapes.
Tensor add_dropped(const Tensor& x, const Tensor& y, DropoutMask mask);
/// max(x_i, 0)·mask(i) in one pass.
Tensor relu_dropped(const Tensor& x, DropoutMask mask);
/// The derivative of relu_dropped at the result y: dy_i·scale where y_i > 0, else 0. No mask is needed: what
/// was dropped is 0 already.
Tensor relu_dropped_backward(const Tensor& y, const Tensor& dy, DropoutMask mask);

}  // namespace gradual
