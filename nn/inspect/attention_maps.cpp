#include <gradual/nn/inspect/attention_maps.hpp>

#include <cmath>
#include <utility>
#include <vector>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/seq2seq/source_attention.hpp>

namespace gradual {
namespace {

using Words = std::vector<std::string>;

Json to_json(const AttentionMap& map) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < map.queries.size(); ++i) {
    std::vector<double> row;
    for (std::size_t j = 0; j < map.keys.size(); ++j)
      row.push_back(std::round(static_cast<double>(map.weight(i, j)) * 1e6) / 1e6);
    rows.push_back(row);
  }
  return {{"queries", map.queries}, {"keys", map.keys}, {"weights", rows}};
}

}  // namespace

SentenceAttention attention_of(const Translator& translator, const std::string& sentence,
                               const BeamOptions& options) {
  const Language &from = translator.source(), &to = translator.target();
  const Hypothesis found = translator.search({sentence}, options).front().front();
  const Words written = to.vocabulary.decode(found.tokens);
  Words source = from.tokenizer.split(sentence);
  const TranslationBatch batch = make_batch({{from.vocabulary.encode(source), found.tokens}}, {0});
  Words read = written, said = written;  // what the decoder reads, and what it says when it has read it
  source.push_back("⏎");
  read.insert(read.begin(), "▷");
  said.push_back("⏎");

  const NoGrad no_grad;
  const EvaluationScope evaluation;
  AttentionRecorder recorder;
  translator.model().loss(batch, {});
  AttentionKind encoder{"Encoder self-attention", {}, "The words of the source look at one another."},
      decoder{"Decoder self-attention",
              {},
              "Each place of the translation looks at words that are written already."},
      cross{"Cross-attention",
            {},
            "From the decoder to the source: each word that is about to be written looks at the words that "
            "were read."};
  for (const RecordedAttention& layer : recorder.recorded()) {
    if (layer.to == AttentionTo::source)
      cross.layers.push_back(attention_maps(layer.weights, said, source));
    else if (layer.is_of_encoder())
      encoder.layers.push_back(attention_maps(layer.weights, source, source));
    else
      decoder.layers.push_back(attention_maps(layer.weights, read, read));
  }
  SentenceAttention result{sentence, translator.text_of(sentence, found), {}};
  for (AttentionKind* kind : {&cross, &encoder, &decoder})
    if (!kind->layers.empty()) result.kinds.push_back(std::move(*kind));
  return result;
}

std::string attention_json(const SentenceAttention& attention) {
  Json kinds = Json::array();
  for (const AttentionKind& kind : attention.kinds) {
    Json layers = Json::array();
    for (const std::vector<AttentionMap>& layer : kind.layers) {
      Json heads = Json::array();
      for (const AttentionMap& map : layer) heads.push_back(to_json(map));
      layers.push_back(heads);
    }
    kinds.push_back({{"name", kind.name}, {"layers", layers}});
  }
  return clean_json_text(kinds);
}

namespace {

// A pair as the words of a map.
std::pair<Words, Words> words_of(const Translator& translator, const SentencePair& pair) {
  Words source = translator.source().tokenizer.split(pair.source);
  Words target = translator.target().tokenizer.split(pair.target);
  source.push_back("⏎");
  target.push_back("⏎");
  return {source, target};
}

}  // namespace

std::vector<AttentionMap> maps_to_source(const Translator& translator, const SentencePair& pair) {
  const auto [source, target] = words_of(translator, pair);
  std::vector<AttentionMap> maps;
  for (const Tensor& weights : attention_to_source(translator.model(), translator.encode(pair))) {
    maps.push_back(mean_attention_map(weights, target, source));
    maps.back().title = "layer " + std::to_string(maps.size());
  }
  return maps;
}

std::vector<std::vector<AttentionMap>> head_maps_to_source(const Translator& translator,
                                                           const SentencePair& pair) {
  const auto [source, target] = words_of(translator, pair);
  std::vector<std::vector<AttentionMap>> layers;
  for (const Tensor& weights : attention_to_source(translator.model(), translator.encode(pair)))
    layers.push_back(attention_maps(weights, target, source));
  return layers;
}

}  // namespace gradual
