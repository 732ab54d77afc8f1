#include <gradual/nn/transformer/transformer.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <gradual/core/error.hpp>

namespace gradual {

struct TransformerState : TranslationModel::State {
  std::vector<DecoderLayerState> layers;
  Indices source_lengths;                              // [B], or empty: all alike
  Index length = 0;                                    // words so far
  std::vector<std::int32_t> shortlist;                 // the words that may be written, or empty: all
  std::optional<PackedWeights::Packed> listed_output;  // their rows of the output's weight

  void select(const std::vector<Index>& rows) override {
    if (source_lengths.size() > 0) {
      std::vector<std::int32_t> lengths;
      for (Index row : rows) lengths.push_back(source_lengths[row]);
      source_lengths = {Shape{static_cast<Index>(rows.size())}, std::move(lengths)};
    }
    for (DecoderLayerState& layer : layers) {
      layer.own.select(rows);
      layer.source.select(rows);
    }
  }
};

namespace {

const TransformerConfig& checked(const TransformerConfig& config) {
  config.check();
  return config;
}

void check_shortlist(const std::vector<std::int32_t>& words, Index vocabulary) {
  const auto is_not_below = [](std::int32_t word, std::int32_t next) { return next <= word; };
  const auto falls = std::adjacent_find(words.begin(), words.end(), is_not_below);
  const bool rises = falls == words.end();
  if (!rises || words.front() < 0 || words.back() >= vocabulary)
    throw std::invalid_argument(text("transformer: a shortlist must be of words 0 … ", vocabulary - 1,
                                     " in ascending order: it ", rises ? "goes from " : "has ",
                                     rises ? words.front() : *falls, rises ? " to " : " before ",
                                     rises ? words.back() : *(falls + 1)));
}

// Where those words stand in a shortlist that are in it.
std::vector<std::int32_t> places_of(const std::vector<std::int32_t>& words,
                                    const std::vector<std::int32_t>& shortlist) {
  std::vector<std::int32_t> places;
  for (const std::int32_t word : words) {
    const auto found = std::lower_bound(shortlist.begin(), shortlist.end(), word);
    if (found != shortlist.end() && *found == word)
      places.push_back(static_cast<std::int32_t>(found - shortlist.begin()));
  }
  return places;
}

AttentionMask padding_mask(const SourceBatch& source) {
  AttentionMask mask;
  mask.valid_lengths = source.lengths;
  return mask;
}

}  // namespace

Transformer::Transformer(const TransformerConfig& config, Random random)
    : config_(checked(config)),
      source_embedding(config.source_vocabulary, config.width, random),
      target_embedding(config.shared_embeddings ? source_embedding
                                                : Embedding(config.target_vocabulary, config.width, random)),
      positions(make_position_vectors(config.positions, config.max_length, config.width, random)),
      encoder_norm(make_norm(config.norm_kind, config.width, random)),
      decoder_norm(make_norm(config.norm_kind, config.width, random)),
      output(config.width, config.tied_output ? 0 : config.target_vocabulary, random, Linear::Bias::no),
      dropout_(config.dropout, random),
      word_dropout_(config.word_dropout, random) {
  if (config.output_bias) output_bias = Var::parameter(Tensor::zeros({config.target_vocabulary}));
  for (Index i = 0; i < config.encoder_layers; ++i)
    encoder.push_back(
        make_encoder_layer(config.encoder_layer, config, random, "encoder." + std::to_string(i)));
  for (Index i = 0; i < config.decoder_layers; ++i)
    decoder.push_back(
        make_decoder_layer(config.decoder_layer, config, random, "decoder." + std::to_string(i)));
}

void Transformer::visit(Visitor& visitor) {
  visitor("source_embedding", source_embedding);
  visitor("target_embedding", target_embedding);
  visitor("positions", positions);
  visitor("encoder", encoder);
  visitor("decoder", decoder);
  if (config_.norm == NormPlace::before) {
    visitor("encoder_norm", encoder_norm);
    visitor("decoder_norm", decoder_norm);
  }
  if (!config_.tied_output) visitor("output", output);
  visitor("output_bias", output_bias);
  visitor("dropout", dropout_);
  visitor("word_dropout", word_dropout_);
}

// Embeddings have deviation 1/√D so that they can serve as output weights; √D makes them as large as the
// positions.
Var Transformer::embed(const Indices& ids, const Embedding& table, Index first) const {
  const Var words = table(ids) * std::sqrt(static_cast<Real>(config_.width));  // [B, T, D]
  return dropout_(word_dropout_(words) + positions(first, ids.dim(1)));
}

Var Transformer::encode(const SourceBatch& source) const {
  const AttentionMask mask = padding_mask(source);
  Var x = embed(source.ids, source_embedding, 0);
  for (const Part<EncoderBlock>& layer : encoder) x = layer(x, mask);
  return config_.norm == NormPlace::before ? encoder_norm(x) : x;
}

Var Transformer::decode(const Indices& ids, const Var& memory, const AttentionMask& memory_mask) const {
  Var x = embed(ids, target_embedding, 0);
  for (const Part<DecoderBlock>& layer : decoder) x = layer(x, memory, memory_mask);
  return config_.norm == NormPlace::before ? decoder_norm(x) : x;
}

Var Transformer::loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const {
  const Var memory = encode(batch.source);
  const Var decoded = decode(batch.input, memory, padding_mask(batch.source));
  if (output_bias.defined()) return cross_entropy(logits(decoded), batch.output, options);
  return linear_cross_entropy(decoded, output_weight(), batch.output, options);
}

std::unique_ptr<TranslationModel::State> Transformer::start(const SourceBatch& source) const {
  const PackedWeights::Use packed(*packed_);
  const Var memory = encode(source);
  auto state = std::make_unique<TransformerState>();
  state->source_lengths = source.lengths;
  for (const Part<DecoderBlock>& layer : decoder) state->layers.push_back(layer->start(memory));
  if (!source.shortlist.empty() && takes_shortlists()) {
    check_shortlist(source.shortlist, output_weight().dim(0));
    state->shortlist = source.shortlist;
    state->listed_output = packed_->of_rows(output_weight(), source.shortlist);
  }
  return state;
}

// The decoder's output [B, D] for one more word of each row.
Tensor Transformer::decode_next(const Indices& ids, TransformerState& state) const {
  const Index batch = ids.size();
  Var x = embed(Indices({batch, 1}, {ids.begin(), ids.end()}), target_embedding, state.length);  // [B, 1, D]
  for (std::size_t i = 0; i < decoder.size(); ++i)
    x = decoder[i]->next(x, state.layers[i], state.source_lengths);
  ++state.length;
  if (config_.norm == NormPlace::before) x = decoder_norm(x);
  return x.value().reshaped({batch, -1});
}

Tensor Transformer::next(const Indices& ids, TranslationModel::State& state) const {
  const PackedWeights::Use packed(*packed_);
  const Tensor decoded = decode_next(ids, own_state<TransformerState>(state));
  return packed_->linear(decoded, output_weight(), output_bias, 0, output_weight().dim(0));
}

TopClasses Transformer::next_best(const Indices& ids, TranslationModel::State& model_state, Index count,
                                  const std::vector<std::int32_t>& excluded) const {
  if (output_bias.defined()) return TranslationModel::next_best(ids, model_state, count, excluded);
  const PackedWeights::Use packed(*packed_);
  auto& state = own_state<TransformerState>(model_state);
  const Tensor decoded = decode_next(ids, state);
  if (!state.listed_output) return packed_->top_log_softmax(decoded, output_weight(), count, excluded);
  TopClasses best =
      top_log_softmax(decoded, *state.listed_output, count, places_of(excluded, state.shortlist));
  for (std::int32_t& id : best.ids)
    if (id >= 0) id = state.shortlist[static_cast<std::size_t>(id)];
  return best;
}

}  // namespace gradual
