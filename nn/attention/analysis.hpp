// What recorded attention says: how spread out each head is, and how it adds up over layers.
#pragma once

#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/nn/attention/recorder.hpp>

namespace gradual {

/// How spread out each head's weights [B, H, T, S] are: the mean over sentences and queries of -Σ_s p_s·log
/// p_s, in nats, from 0 (one key has it all) to log S (all are alike): [H].
///
/// The first `queries` [B] of each sentence count (empty: all), and of these only those that see a key.
/// Throws std::invalid_argument when the shapes do not fit.
Tensor attention_entropy(const Tensor& weights, const Indices& queries = {});

/// How much of its weight [B, H, T, S] each head gives to the keys that are `wanted` [B, T, S], which are 1,
/// the others 0: the mean over the queries that have a wanted key, for each of H. Throws
/// std::invalid_argument when the shapes do not fit, and when no key is wanted.
std::vector<double> attention_on(const Tensor& weights, const Tensor& wanted);

/// How much each place of a stack's output goes back to each place of its input, [B, T, T]: the product over
/// the layers, first to last, of
///   Ā = (mean over heads + I) / 2,
/// where I stands for the residual path (Abnar and Zuidema 2020, §2). `layers` are those of one stack of
/// self-attention, all [B, H, T, T]. Throws std::invalid_argument when there is none or the shapes differ.
Tensor attention_rollout(const std::vector<RecordedAttention>& layers);

}  // namespace gradual
