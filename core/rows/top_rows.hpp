// The likeliest classes of each row of logits. The plain version is reference::ranking.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/products/int8_matrix.hpp>
#include <gradual/core/products/packed_matrix.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// The best classes of each row, the best first: place i of row r is at r·count + i.
struct TopClasses {
  Index count;                          // how many of each row
  std::vector<std::int32_t> ids;        // -1 where a row has fewer classes to offer
  std::vector<Real> log_probabilities;  // -∞ there
};

/// The `count` largest log softmax(logits) of each row of logits [B, V]; of equal ones the lower class comes
/// first. The classes `excluded` are passed over, but keep their share of the probability. A row in which a
/// logit is not a number has nothing to offer. Throws std::invalid_argument unless logits have two axes and
/// count is positive.
TopClasses top_log_softmax(const Tensor& logits, Index count, const std::vector<std::int32_t>& excluded = {});

/// The same for logits = x·Wᵀ with x [B, D] and W [V, D], without the table of logits: a few columns are
/// computed, searched while they are in the cache, and overwritten by the next.
TopClasses top_log_softmax(const Tensor& x, const PackedMatrix& weight, Index count,
                           const std::vector<std::int32_t>& excluded = {});
/// The same with x and W in 8 bits.
TopClasses top_log_softmax(const Tensor& x, const Int8Matrix& weight, Index count,
                           const std::vector<std::int32_t>& excluded = {});

}  // namespace gradual
