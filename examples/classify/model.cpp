#include "model.hpp"

#include <cmath>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/attention/scores/additive.hpp>
#include <gradual/nn/layers/initialization.hpp>

#include "word_form.hpp"

using namespace gradual;

namespace {

LayerConfig config_of(const ModelSizes& s) {
  LayerConfig config;
  config.width = s.width;
  config.heads = s.heads;
  config.feed_forward = s.feed_forward;
  config.dropout = s.dropout;
  config.positions = s.places ? "relative" : "none";
  return config;
}

// Item i becomes item i - distance; zeros come in from outside.
Var shifted(const Var& items, Index distance) {
  const Index count = items.dim(1), size = std::min(std::abs(distance), count);
  const Var outside = Tensor::zeros({items.dim(0), size, items.dim(2)});
  if (distance > 0) return concat({outside, slice(items, 1, 0, count - size)}, 1);
  return concat({slice(items, 1, size, count), outside}, 1);
}

}  // namespace

DocumentClassifier::DocumentClassifier(const ModelSizes& s, Random random)
    : places_matter_(s.places),
      words_(s.words, s.width, random),
      pieces_(Features::piece_count, s.width, random),
      shapes_(word_shape_count, s.width, random),
      places_(Features::place_count, s.width, random),
      neighbours_(3 * s.width, s.width, random),
      encoder_(config_of(s), random, "encoder"),
      listening_norm_(s.width),
      hearing_norm_(s.width),
      attention_(AdditiveScore(s.width, s.width, s.width, random), s.width, random, pooling),
      label_(s.width, s.labels, random),
      dropout_(s.dropout, random) {
  if (s.kinds > 0) kind_.emplace_back(s.width, s.kinds, random);
  for (Embedding* each : {&words_, &pieces_, &shapes_, &places_})
    each->weight.set_value(normal_tensor(each->weight.shape(), 0.1, random));
}

void DocumentClassifier::visit(Visitor& visitor) {
  visitor("words", words_);
  visitor("pieces", pieces_);
  visitor("shapes", shapes_);
  if (places_matter_) visitor("places", places_);
  visitor("neighbours", neighbours_);
  visitor("encoder", encoder_);
  visitor("listening_norm", listening_norm_);
  visitor("hearing_norm", hearing_norm_);
  visitor("attention", attention_);
  visitor("label", label_);
  visitor("kind", kind_);
  visitor("dropout", dropout_);
}

Var DocumentClassifier::embedded(const DocumentBatch& batch) const {
  const Var pieces = sum(pieces_(batch.pieces), {2}) * (1 / std::sqrt(Real(5)));
  const Var all = words_(batch.words) + pieces + shapes_(batch.shapes);
  return dropout_(places_matter_ ? all + places_(batch.places) : all) * batch.present;
}

DocumentClassifier::Scores DocumentClassifier::operator()(const DocumentBatch& batch) const {
  const Var words = embedded(batch);
  const Var joined = concat({shifted(words, 1), words, shifted(words, -1)}, 2);  // [B, S, 3·D]
  AttentionMask mask;
  mask.valid_lengths = batch.lengths;
  const Var items = words + dropout_(gelu(neighbours_(joined)));
  const Var read = listening_norm_(encoder_(items, mask));
  const Var heard = dropout_(attention_(read, hearing_norm_(items), batch.lengths));  // [B, D]
  return {label_(heard), kind_.empty() ? Var() : kind_.front()(heard)};
}
