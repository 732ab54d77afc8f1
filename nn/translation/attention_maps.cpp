#include <gradual/nn/translation/attention_maps.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <gradual/nn/attention/recorder.hpp>

namespace gradual {
namespace {

using Words = std::vector<std::string>;

std::vector<AttentionMap> maps_of_heads(const Tensor& weights, const Words& queries, const Words& keys) {
  const Index heads = weights.dim(1), size = weights.dim(2) * weights.dim(3);  // [1, H, T, S]
  std::vector<AttentionMap> maps;
  for (Index head = 0; head < heads; ++head) {
    const Real* first = weights.data() + head * size;
    maps.push_back({queries, keys, {first, first + size}, "head " + std::to_string(head + 1)});
  }
  return maps;
}

bool ends_with(const std::string& name, const std::string& end) {
  return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

SentenceAttention attention_of(const Translator& translator, const std::string& sentence) {
  const Words written = translator.translate_to_tokens({sentence}).front();
  Words source = translator.source_tokens(sentence);
  const EncodedPair ids{translator.source_vocabulary().encode(source),
                        translator.target_vocabulary().encode(written)};
  const TranslationBatch batch = make_batch({ids}, {0});
  Words read = written, said = written;  // what the decoder reads, and what it says when it has read it
  source.push_back("⏎");
  read.insert(read.begin(), "▷");
  said.push_back("⏎");

  const NoGrad no_grad;
  AttentionRecorder recorder;
  translator.model().loss(batch, {});
  AttentionKind encoder{"Encoder self-attention", {}}, decoder{"Decoder self-attention", {}},
      cross{"Decoder to source", {}};
  for (const RecordedAttention& layer : recorder.recorded()) {
    if (ends_with(layer.layer, "cross_attention"))
      cross.layers.push_back(maps_of_heads(layer.weights, said, source));
    else if (layer.layer.rfind("encoder", 0) == 0)
      encoder.layers.push_back(maps_of_heads(layer.weights, source, source));
    else
      decoder.layers.push_back(maps_of_heads(layer.weights, read, read));
  }
  return {sentence, translator.join(written), {std::move(cross), std::move(encoder), std::move(decoder)}};
}

}  // namespace gradual
