// How often a model's first choice is right.
#pragma once

#include <gradual/core/indices.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// The share of the targets [...] whose class has the largest of its logits [..., V]; targets below 0 are
/// none, and one with a logit that is no number is wrong. 0 where there are none at all. Throws
/// std::invalid_argument when the shapes do not fit or a target is no class.
double accuracy(const Tensor& logits, const Indices& targets);

}  // namespace gradual
