#include <gradual/nn/inspect/attention_pictures.hpp>

#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/drawing/attention_graph.hpp>

namespace gradual {
namespace {

using Words = std::vector<std::string>;

void check_weights(const Tensor& weights, const Words& queries, const Words& keys, Index sentence) {
  const Index T = static_cast<Index>(queries.size()), S = static_cast<Index>(keys.size());
  if (weights.rank() != 4 || weights.dim(2) < T || weights.dim(3) < S || sentence < 0 ||
      sentence >= weights.dim(0))
    throw std::invalid_argument(
        text("attention maps: weights must be [B, H, T, S] with a place for each token: weights are ",
             weights.shape(), ", sentence is ", sentence, ", there are ", T, " queries and ", S, " keys"));
}

/// The weights of one head, without padding.
AttentionMap map_of_head(const Tensor& weights, const Words& queries, const Words& keys, Index sentence,
                         Index head) {
  AttentionMap map{queries, keys, {}, text("head ", head + 1)};
  const Index T = weights.dim(2), S = weights.dim(3);
  const Real* rows = weights.data() + (sentence * weights.dim(1) + head) * T * S;
  for (std::size_t t = 0; t < queries.size(); ++t) {
    for (std::size_t s = 0; s < keys.size(); ++s)
      map.weights.push_back(static_cast<float>(rows[static_cast<Index>(t) * S + static_cast<Index>(s)]));
  }
  return map;
}

std::string rollout_picture(const std::vector<RecordedAttention>& layers, const Words& tokens,
                            Index sentence) {
  const Tensor rollout = attention_rollout(layers);  // [B, T, T]
  const Tensor as_one_head = rollout.with_shape({rollout.dim(0), 1, rollout.dim(1), rollout.dim(2)});
  AttentionMap map = mean_attention_map(as_one_head, tokens, tokens, sentence);
  map.title = text("rollout over ", layers.size(), layers.size() == 1 ? " layer" : " layers");
  return draw_attention_map(map);
}

AttentionPictures maps_and_graphs(const std::vector<RecordedAttention>& layers, const Words& queries,
                                  const Words& keys, Index sentence) {
  if (layers.empty()) throw std::invalid_argument("draw_attention: there must be a layer: got none");
  AttentionPictures pictures;
  std::vector<std::vector<AttentionMap>> grid;
  for (const RecordedAttention& layer : layers) {
    grid.push_back(attention_maps(layer.weights, queries, keys, sentence));
    AttentionMap mean = mean_attention_map(layer.weights, queries, keys, sentence);
    mean.title = layer.layer;
    pictures.graphs.push_back(draw_attention_graph(mean));
  }
  pictures.maps = draw_attention_grid(grid, "");
  return pictures;
}

}  // namespace

std::vector<AttentionMap> attention_maps(const Tensor& weights, const Words& queries, const Words& keys,
                                         Index sentence) {
  check_weights(weights, queries, keys, sentence);
  std::vector<AttentionMap> maps;
  for (Index head = 0; head < weights.dim(1); ++head)
    maps.push_back(map_of_head(weights, queries, keys, sentence, head));
  return maps;
}

AttentionMap mean_attention_map(const Tensor& weights, const Words& queries, const Words& keys,
                                Index sentence) {
  const std::vector<AttentionMap> heads = attention_maps(weights, queries, keys, sentence);
  AttentionMap mean{queries, keys, std::vector<float>(queries.size() * keys.size(), 0), "mean of the heads"};
  for (const AttentionMap& head : heads) {
    for (std::size_t i = 0; i < mean.weights.size(); ++i)
      mean.weights[i] += head.weights[i] / static_cast<float>(heads.size());
  }
  return mean;
}

AttentionPictures draw_attention(const std::vector<RecordedAttention>& layers, const Words& tokens,
                                 Index sentence) {
  AttentionPictures pictures = maps_and_graphs(layers, tokens, tokens, sentence);
  pictures.rollout = rollout_picture(layers, tokens, sentence);
  return pictures;
}

AttentionPictures draw_attention(const std::vector<RecordedAttention>& layers, const Words& queries,
                                 const Words& keys, Index sentence) {
  return maps_and_graphs(layers, queries, keys, sentence);
}

}  // namespace gradual
