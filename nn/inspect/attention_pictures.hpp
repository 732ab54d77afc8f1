// Recorded attention as pictures: from a forward pass to SVG in one call.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/drawing/attention_map.hpp>

namespace gradual {

/// The weights [B, H, T, S] of one sentence of a batch, a map for each head ("head 1", "head 2", …). Where
/// there are fewer tokens than T or S, the places behind them are padding and left out. Throws
/// std::invalid_argument when the weights have another shape, too few places, or no such sentence.
std::vector<AttentionMap> attention_maps(const Tensor& weights, const std::vector<std::string>& queries,
                                         const std::vector<std::string>& keys, Index sentence = 0);

/// The mean over the heads of the same.
AttentionMap mean_attention_map(const Tensor& weights, const std::vector<std::string>& queries,
                                const std::vector<std::string>& keys, Index sentence = 0);

/// What a stack of attention layers looked at, each as an SVG that stands by itself.
struct AttentionPictures {
  std::string maps;                 ///< every head of every layer: a row for each layer
  std::vector<std::string> graphs;  ///< each layer as a weighted graph over the tokens, the mean of its heads
  std::string rollout;  ///< how far each output goes back to each input (see attention_rollout); empty for
                        ///< attention from one sequence to another
};

/// Draws one sentence of what was recorded of layers of one kind, first to last:
///
///   AttentionRecorder recorder;
///   model.logits(ids, lengths);
///   const AttentionPictures pictures = draw_attention(recorder.recorded(), tokens);
///
/// Throws std::invalid_argument when there is no layer, and as attention_maps and draw_attention_grid do.
AttentionPictures draw_attention(const std::vector<RecordedAttention>& layers,
                                 const std::vector<std::string>& tokens, Index sentence = 0);
/// The same for attention from queries to other keys, such as a decoder's to the source.
AttentionPictures draw_attention(const std::vector<RecordedAttention>& layers,
                                 const std::vector<std::string>& queries,
                                 const std::vector<std::string>& keys, Index sentence = 0);

}  // namespace gradual
