#include <gradual/nn/translation/alignment.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/kernels/arrays.hpp>
#include <gradual/nn/translation/source_attention.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {
namespace {

using Links = std::set<std::pair<Index, Index>>;  // source and target place

void check(const Alignment& alignment, const EncodedPair& pair) {
  for (const auto& [source, target] : alignment) {
    if (source < 0 || target < 0 || source >= static_cast<Index>(pair.source.size()) ||
        target >= static_cast<Index>(pair.target.size()))
      throw std::invalid_argument(text("alignment_quality: aligned words must be tokens: words ", source,
                                       " and ", target, ", there are ", pair.source.size(), " and ",
                                       pair.target.size(), " tokens"));
  }
}

// How many target words have a link, and how many of these look along one; `weights` is [T, S].
struct Count {
  double aligned = 0, found = 0;
  void add(const Real* weights, Index places, const Links& links) {
    std::set<Index> targets;
    for (const auto& link : links) targets.insert(link.second);
    for (const Index target : targets) {
      const Real* row = weights + target * places;
      const Index most = std::max_element(row, row + places) - row;
      ++aligned;
      found += static_cast<double>(links.count({most, target}));
    }
  }
  double share() const { return aligned > 0 ? found / aligned : 0; }
};

}  // namespace

AlignmentQuality alignment_quality(const Translator& translator, const std::vector<AlignedPair>& pairs) {
  set_training(translator.model(), false);
  std::vector<Count> layers;
  std::vector<std::vector<Count>> heads;
  for (const AlignedPair& aligned : pairs) {
    const EncodedPair ids = translator.encode(aligned.pair);
    check(aligned.alignment, ids);
    const Links links(aligned.alignment.begin(), aligned.alignment.end());
    const std::vector<Tensor> weights = attention_to_source(translator.model(), ids);
    layers.resize(weights.size());
    heads.resize(weights.size());
    for (std::size_t l = 0; l < weights.size(); ++l) {
      const Index H = weights[l].dim(1), T = weights[l].dim(2), S = weights[l].dim(3);
      heads[l].resize(static_cast<std::size_t>(H));
      for (Index h = 0; h < H; ++h)
        heads[l][static_cast<std::size_t>(h)].add(weights[l].data() + h * T * S, S, links);
      layers[l].add(sum(weights[l], {1}).data(), S, links);
    }
  }
  AlignmentQuality quality;
  for (const Count& layer : layers) quality.layers.push_back(layer.share());
  for (const std::vector<Count>& layer : heads) {
    quality.heads.emplace_back();
    for (const Count& head : layer) quality.heads.back().push_back(head.share());
  }
  return quality;
}

}  // namespace gradual
