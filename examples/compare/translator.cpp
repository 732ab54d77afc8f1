#include "translator.hpp"

#include <cmath>

using namespace gradual;

namespace {

constexpr Index longest = 64;

// What has been written so far is kept as words: without attention there are no keys and values to remember,
// and the sentences are short.
struct WordsSoFar : TranslationModel::State {
  Tensor memory;                                // [B, S, D]
  std::vector<std::int32_t> lengths;            // [B]
  std::vector<std::vector<std::int32_t>> rows;  // [B] sentences

  void select(const std::vector<Index>& chosen) override {
    const Index S = memory.dim(1), width = memory.dim(2), count = static_cast<Index>(chosen.size());
    const Tensor flat = memory.with_shape({memory.dim(0), S * width});
    const std::vector<std::int32_t> numbers(chosen.begin(), chosen.end());
    memory = take_rows(flat, Indices({count}, numbers)).with_shape({count, S, width});
    WordsSoFar before = *this;
    lengths.clear();
    rows.clear();
    for (const std::int32_t row : numbers) {
      lengths.push_back(before.lengths[static_cast<std::size_t>(row)]);
      rows.push_back(before.rows[static_cast<std::size_t>(row)]);
    }
  }
};

AttentionMask padding(const Indices& lengths) {
  AttentionMask mask;
  mask.valid_lengths = lengths;
  return mask;
}

}  // namespace

MixingPart::MixingPart(const std::string& name, const MixingSizes& sizes, Looking looking, Random random,
                       const std::string& layer)
    : mixing(make_mixing(name, sizes, looking, random, layer)),
      around(sizes.width, 0, NormPlace::before, random) {}

void MixingPart::visit(Visitor& visitor) {
  visitor("mixing", *mixing);
  visitor("around", around);
}

Var MixingPart::operator()(const Var& x, const AttentionMask& mask) const {
  return around(x, [&](const Var& y) { return (*mixing)(y, y, mask); });
}

Var MixingPart::operator()(const Var& x, const Var& memory, const AttentionMask& mask) const {
  return around(x, [&](const Var& y) { return (*mixing)(y, memory, mask); });
}

FeedForwardPart::FeedForwardPart(const TranslatorSizes& sizes, Random random)
    : network(sizes.mixing.width, sizes.feed_forward, Activation::relu, 0, random),
      around(sizes.mixing.width, 0, NormPlace::before, random) {}

void FeedForwardPart::visit(Visitor& visitor) {
  visitor("network", network);
  visitor("around", around);
}

void ExchangeableTranslator::EncoderLayer::visit(Visitor& visitor) {
  visitor("self", self);
  visitor("feed_forward", feed_forward);
}

void ExchangeableTranslator::DecoderLayer::visit(Visitor& visitor) {
  visitor("self", self);
  visitor("cross", cross);
  visitor("feed_forward", feed_forward);
}

ExchangeableTranslator::ExchangeableTranslator(const std::string& mixing, const TranslatorSizes& sizes,
                                               Random random)
    : width_(sizes.mixing.width),
      source_embedding_(sizes.source_vocabulary, width_, random),
      target_embedding_(sizes.target_vocabulary, width_, random),
      positions_(PositionKind::sinusoidal, longest, width_, random),
      encoder_norm_(width_),
      decoder_norm_(width_) {
  const auto part = [&](Looking looking, const std::string& layer) {
    return MixingPart(mixing, sizes.mixing, looking, random, layer);
  };
  for (Index i = 0; i < sizes.layers; ++i) {
    const std::string number = "." + std::to_string(i) + ".";
    encoder_.push_back(
        {part(Looking::at_itself, "encoder" + number + "self"), FeedForwardPart(sizes, random)});
    decoder_.push_back({part(Looking::at_itself, "decoder" + number + "self"),
                        part(Looking::elsewhere, "decoder" + number + "cross"),
                        FeedForwardPart(sizes, random)});
  }
}

void ExchangeableTranslator::visit(Visitor& visitor) {
  visitor("source_embedding", source_embedding_);
  visitor("target_embedding", target_embedding_);
  visitor("encoder", encoder_);
  visitor("decoder", decoder_);
  visitor("encoder_norm", encoder_norm_);
  visitor("decoder_norm", decoder_norm_);
}

Var ExchangeableTranslator::embed(const Indices& ids, const Embedding& table) const {
  return table(ids) * std::sqrt(static_cast<Real>(width_)) + positions_(0, ids.dim(1));
}

Var ExchangeableTranslator::encode(const SourceBatch& source) const {
  Var x = embed(source.ids, source_embedding_);
  for (const EncoderLayer& layer : encoder_) x = layer.feed_forward(layer.self(x, padding(source.lengths)));
  return encoder_norm_(x);
}

Var ExchangeableTranslator::decode(const Indices& ids, const Var& memory,
                                   const AttentionMask& memory_mask) const {
  AttentionMask causal;
  causal.causal = true;
  Var y = embed(ids, target_embedding_);
  for (const DecoderLayer& layer : decoder_)
    y = layer.feed_forward(layer.cross(layer.self(y, causal), memory, memory_mask));
  return decoder_norm_(y);
}

Var ExchangeableTranslator::loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const {
  const Var decoded = decode(batch.input, encode(batch.source), padding(batch.source.lengths));
  return linear_cross_entropy(decoded, target_embedding_.weight, batch.output, options);
}

std::unique_ptr<TranslationModel::State> ExchangeableTranslator::start(const SourceBatch& source) const {
  const NoGrad no_grad;
  auto state = std::make_unique<WordsSoFar>();
  state->memory = encode(source).value();
  state->lengths.assign(source.lengths.begin(), source.lengths.end());
  state->rows.resize(state->lengths.size());
  return state;
}

Tensor ExchangeableTranslator::next(const Indices& ids, State& state) const {
  const NoGrad no_grad;
  WordsSoFar& so_far = dynamic_cast<WordsSoFar&>(state);
  const Index batch = ids.size();
  std::vector<std::int32_t> words;
  for (Index b = 0; b < batch; ++b) {
    auto& row = so_far.rows[static_cast<std::size_t>(b)];
    row.push_back(ids[b]);
    words.insert(words.end(), row.begin(), row.end());
  }
  const Index T = static_cast<Index>(words.size()) / batch;
  const Var decoded =
      decode(Indices({batch, T}, std::move(words)), so_far.memory, padding(Indices({batch}, so_far.lengths)));
  return linear(slice(decoded, 1, T - 1, T), target_embedding_.weight).value().reshaped({batch, -1});
}
