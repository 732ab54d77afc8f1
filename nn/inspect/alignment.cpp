#include <gradual/nn/inspect/alignment.hpp>

#include <gradual/nn/inspect/alignment_match.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/seq2seq/source_attention.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {

AlignmentQuality alignment_quality(const Translator& translator, const std::vector<AlignedPair>& pairs) {
  std::vector<AlignmentMatch> layers;
  std::vector<std::vector<AlignmentMatch>> heads;
  for (const AlignedPair& aligned : pairs) {
    std::vector<std::string> source = translator.source().tokenizer.split(aligned.pair.source);
    const std::vector<std::string> target = translator.target().tokenizer.split(aligned.pair.target);
    source.push_back("⏎");  // to look at the end is to look at the wrong word
    const std::vector<Tensor> weights = attention_to_source(
        translator.model(), translator.encode(aligned.pair));  // [1, H, T, S] of each layer
    layers.resize(weights.size());
    heads.resize(weights.size());
    for (std::size_t l = 0; l < weights.size(); ++l) {
      layers[l] += match_alignment(mean_attention_map(weights[l], target, source), aligned.alignment);
      const std::vector<AttentionMap> maps = attention_maps(weights[l], target, source);
      heads[l].resize(maps.size());
      for (std::size_t h = 0; h < maps.size(); ++h)
        heads[l][h] += match_alignment(maps[h], aligned.alignment);
    }
  }
  AlignmentQuality quality;
  for (const AlignmentMatch& layer : layers) quality.layers.push_back(layer.strongest_share());
  for (const std::vector<AlignmentMatch>& layer : heads) {
    quality.heads.emplace_back();
    for (const AlignmentMatch& head : layer) quality.heads.back().push_back(head.strongest_share());
  }
  return quality;
}

}  // namespace gradual
