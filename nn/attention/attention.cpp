#include <gradual/nn/attention/attention.hpp>

#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/additive.hpp>
#include <gradual/nn/attention/scores/dot.hpp>

namespace gradual {

Var batch_dot(const Var& x, const Var& y) {
  if (x.rank() != 3 || y.rank() != 3 || x.dim(0) != y.dim(0) || x.dim(2) != y.dim(1))
    throw std::invalid_argument(
        text("batch_dot: x must be [B, N, M] and y [B, M, K]: x is ", x.shape(), ", y is ", y.shape()));
  return matmul(x, y);
}

Attention::Attention(Part<Score> score, double dropout, Random random, std::string name)
    : score_(std::move(score)), dropout_(dropout, random), name_(std::move(name)) {}

void Attention::visit(Visitor& visitor) {
  visitor("score", score_);
  visitor("dropout", dropout_);
}

Var Attention::weights(const Var& queries, const Var& prepared, const AttentionMask& mask,
                       const Var& bias) const {
  const Var scores = score_->compare(queries, prepared);
  return masked_softmax(bias.defined() ? scores + bias : scores, mask);
}

Var Attention::operator()(const Var& queries, const Var& keys, const Var& values,
                          const AttentionMask& mask) const {
  const Var weights = masked_softmax(score_(queries, keys), mask);  // [B, T, S]
  if (AttentionRecorder* recorder = AttentionRecorder::current())
    recorder->add(name_, weights.value().with_shape({weights.dim(0), 1, weights.dim(1), weights.dim(2)}));
  return average(weights, values);
}

DotProductAttention::DotProductAttention(double dropout, Random random)
    : Attention(ScaledDotScore(), dropout, random) {}

MLPAttention::MLPAttention(Index query_width, Index key_width, Index hidden_width, double dropout,
                           Random random)
    : Attention(AdditiveScore(query_width, key_width, hidden_width, random), dropout, random) {}

}  // namespace gradual
