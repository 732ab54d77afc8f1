#include "model.hpp"

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/layers/initialization.hpp>

using namespace gradual;

namespace {

// Item i becomes item i - distance; zeros come in from outside.
Var shifted(const Var& items, Index distance) {
  const Index count = items.dim(1), size = std::min(std::abs(distance), count);
  const Var outside = Tensor::zeros({items.dim(0), size, items.dim(2)});
  if (distance > 0) return concat({outside, slice(items, 1, 0, count - size)}, 1);
  return concat({slice(items, 1, size, count), outside}, 1);
}

}  // namespace

DocumentClassifier::DocumentClassifier(const ModelSizes& s, Random random)
    : sizes_(s),
      words_(s.words, s.width, random),
      pieces_(Features::piece_count, s.width, random),
      before_(s.width, s.hidden, random, Linear::Bias::no),
      here_(s.width, s.hidden, random),
      after_(s.width, s.hidden, random, Linear::Bias::no),
      attention_(make_score("scaled_dot", {s.hidden, s.hidden}, random), 0, random, "labels"),
      queries_(Var::parameter(normal_tensor({s.labels, s.hidden}, 1, random))),
      verdicts_(Var::parameter(normal_tensor({s.labels, s.hidden}, 0.1, random))),
      bias_(Var::parameter(Tensor::zeros({s.labels}))),
      dropout_(s.dropout, random),
      random_(random) {}

void DocumentClassifier::visit(Visitor& visitor) {
  visitor("words", words_);
  visitor("pieces", pieces_);
  visitor("before", before_);
  visitor("here", here_);
  visitor("after", after_);
  visitor("queries", queries_);
  visitor("verdicts", verdicts_);
  visitor("bias", bias_);
  visitor("dropout", dropout_);
  visitor("mode", mode_);
}

// In training some words are unknown, so that the others and their pieces learn to do without them.
Var DocumentClassifier::words_dropped(const Indices& words) const {
  if (!mode_.training || sizes_.word_dropout == 0) return words_(words);
  std::vector<std::int32_t> ids(words.begin(), words.end());
  for (std::int32_t& id : ids)
    if (id != Vocabulary::pad && random_.uniform() < sizes_.word_dropout) id = Vocabulary::unknown;
  return words_(Indices(words.shape(), ids));
}

DocumentClassifier::Answer DocumentClassifier::operator()(const DocumentBatch& batch) const {
  const Index B = batch.words.dim(0), S = batch.words.dim(1), K = batch.pieces.dim(2), D = sizes_.width;
  const Var pieces = reshape(pieces_(batch.pieces), {B * S, K, D});
  const Var mean_of_pieces = batch_dot(batch.shares.with_shape({B * S, 1, K}), pieces);  // [B·S, 1, D]
  const Var items = dropout_(words_dropped(batch.words) + reshape(mean_of_pieces, {B, S, D}));
  const Var hidden = dropout_(relu(before_(shifted(items, 1)) + here_(items) + after_(shifted(items, -1))));
  const Index labels = sizes_.labels;
  std::vector<std::int32_t> numbers;
  for (Index b = 0; b < B; ++b)
    for (Index c = 0; c < labels; ++c) numbers.push_back(static_cast<std::int32_t>(c));
  AttentionMask mask;
  mask.valid_lengths = batch.lengths;
  const Var weights = attention_.weights(embedding(Indices({B, labels}, numbers), queries_),
                                         attention_.prepare(hidden), mask);
  const Var heard = attention_.average(weights, hidden);  // [B, C, H]
  return {sum(heard * verdicts_, {2}) + bias_, weights};
}
