// Softmax with cross-entropy. The plain versions are in core/reference/rows.hpp.
#pragma once

#include <gradual/core/indices.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// Which targets count, and how sharply the loss asks for them.
struct CrossEntropyOptions {
  /// Targets with this number count nothing, such as padding.
  std::int32_t ignored = -1;
  /// The share ε of the target's probability that is spread evenly over all classes (Szegedy et al. 2016,
  /// §7).
  double label_smoothing = 0;
  /// The weight α of R-Drop, which makes two passes of one text through a model with dropout agree (Wu et al.
  /// 2021): the rows are then those of one pass and, in the same order, those of the other.
  double consistency = 0;
};

/// A mean loss and its derivatives.
struct LossGradients {
  Real loss = 0;      // the mean over the targets that count
  Index counted = 0;  // targets that were not ignored
  Tensor inputs;      // ∂loss/∂logits, or ∂loss/∂x of linear_cross_entropy
  Tensor weight;      // ∂loss/∂W of linear_cross_entropy
};

/// L = mean over the counted targets (0 where all are ignored) of -Σ_j q_j·log p_j with p = softmax(logits)
/// and q_j = (1 - ε)·[j = target] + ε/V, for logits [..., V] and targets [...]; ∂L/∂logits = (p - q) /
/// counted. Throws std::invalid_argument when the shapes do not fit, a target lies outside 0 … V - 1, or ε
/// lies outside [0, 1).
///
/// With a consistency α, L + α·(mean of D over the pairs of rows that are counted), where row i and the one
/// half of all rows further on have logits x and x', and p and p' (Wu et al. 2021, eq. 2 to 4: theirs is
/// twice this sum, with half their α as ours):
///
///     D = ½·(KL(p ‖ p') + KL(p' ‖ p)) = ½·Σ_j (p_j - p'_j)·d_j,   d = x - x'
///     ∂D/∂x_j = ½·(p_j·(d_j - Σ_k p_k·d_k) + p_j - p'_j),   and ∂D/∂x' the same with x and x' exchanged
///
/// Throws std::invalid_argument where α is negative or not finite, and where the second half of the targets
/// is not the first half again.
LossGradients cross_entropy(const Tensor& logits, const Indices& targets, const CrossEntropyOptions& options,
                            bool with_gradient);

/// The loss of cross_entropy() for logits = x·Wᵀ with x [..., D] and W [V, D], computed a block of rows at a
/// time: the table of logits, by far the largest thing in a step, is never whole in memory.
LossGradients linear_cross_entropy(const Tensor& x, const Tensor& weight, const Indices& targets,
                                   const CrossEntropyOptions& options, bool with_gradient);

}  // namespace gradual
