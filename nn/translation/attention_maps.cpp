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

bool contains(const std::string& name, const std::string& part) {
  return name.find(part) != std::string::npos;
}

}  // namespace

SentenceAttention attention_of(const Translator& translator, const std::string& sentence) {
  const Language &from = translator.source(), &to = translator.target();
  const auto ids_written = translator.search({sentence}, Translator::greedy_options()).front().front().tokens;
  const Words written = to.vocabulary.decode(ids_written);
  Words source = from.tokenizer.split(sentence);
  const TranslationBatch batch = make_batch({{from.vocabulary.encode(source), ids_written}}, {0});
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
    if (contains(layer.layer, "cross_attention"))
      cross.layers.push_back(maps_of_heads(layer.weights, said, source));
    else if (layer.layer.rfind("encoder", 0) == 0)
      encoder.layers.push_back(maps_of_heads(layer.weights, source, source));
    else
      decoder.layers.push_back(maps_of_heads(layer.weights, read, read));
  }
  SentenceAttention result{sentence, to.tokenizer.join(written), {}};
  for (AttentionKind* kind : {&cross, &encoder, &decoder})
    if (!kind->layers.empty()) result.kinds.push_back(std::move(*kind));
  return result;
}

}  // namespace gradual
