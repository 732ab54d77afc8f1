#include <gradual/nn/attention/analysis.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/products/products.hpp>

namespace gradual {
namespace {

// (mean over heads + I) / 2 of weights [B, H, T, T].
Tensor with_residual(const Tensor& weights) {
  const Index batch = weights.dim(0), heads = weights.dim(1), places = weights.dim(2);
  Tensor mixed = sum(weights, {1}) * (Real(0.5) / static_cast<Real>(heads));
  Real* numbers = mixed.unguarded_data();
  for (Index row = 0; row < batch * places; ++row) numbers[row * places + row % places] += Real(0.5);
  return mixed;
}

}  // namespace

Tensor attention_entropy(const Tensor& weights, const Indices& queries) {
  if (weights.rank() != 4 || (queries.size() > 0 && queries.shape() != Shape{weights.dim(0)}))
    throw std::invalid_argument(
        text("attention entropy: weights must be [B, H, T, S] and the numbers of queries [B]: weights are ",
             weights.shape(), ", numbers are ", queries.shape()));
  const Index batch = weights.dim(0), heads = weights.dim(1), T = weights.dim(2), S = weights.dim(3);
  std::vector<Real> means;
  for (Index h = 0; h < heads; ++h) {
    double total = 0;
    Index counted = 0;
    for (Index b = 0; b < batch; ++b) {
      const Index last = queries.size() > 0 ? std::min<Index>(queries[b], T) : T;
      for (Index t = 0; t < last; ++t) {
        const Real* row = weights.data() + ((b * heads + h) * T + t) * S;
        if (std::all_of(row, row + S, [](Real p) { return p == 0; })) continue;
        for (Index s = 0; s < S; ++s) {
          if (row[s] > 0) total -= static_cast<double>(row[s]) * std::log(static_cast<double>(row[s]));
        }
        ++counted;
      }
    }
    means.push_back(static_cast<Real>(total / static_cast<double>(std::max<Index>(counted, 1))));
  }
  return {{heads}, means};
}

std::vector<double> attention_on(const Tensor& weights, const Tensor& wanted) {
  if (weights.rank() != 4 || wanted.shape() != Shape{weights.dim(0), weights.dim(2), weights.dim(3)})
    throw std::invalid_argument(
        text("attention on keys: weights must be [B, H, T, S] and what is wanted [B, T, S]: weights are ",
             weights.shape(), ", wanted is ", wanted.shape()));
  const Index batch = weights.dim(0), heads = weights.dim(1), T = weights.dim(2), S = weights.dim(3);
  std::vector<double> shares(static_cast<std::size_t>(heads), 0);
  Index queries = 0;
  for (Index row = 0; row < batch * T; ++row) {
    const Real* keys = wanted.data() + row * S;
    if (std::none_of(keys, keys + S, [](Real key) { return key != 0; })) continue;
    ++queries;
    for (Index h = 0; h < heads; ++h) {
      const Real* paid = weights.data() + ((row / T * heads + h) * T + row % T) * S;
      for (Index s = 0; s < S; ++s)
        shares[static_cast<std::size_t>(h)] += static_cast<double>(paid[s]) * static_cast<double>(keys[s]);
    }
  }
  if (queries == 0) throw std::invalid_argument("attention on keys: some key must be wanted: none is");
  for (double& share : shares) share /= static_cast<double>(queries);
  return shares;
}

Tensor attention_rollout(const std::vector<RecordedAttention>& layers) {
  if (layers.empty()) throw std::invalid_argument("attention rollout: there must be at least one layer");
  Tensor rollout;
  for (const RecordedAttention& layer : layers) {
    const Shape& shape = layer.weights.shape();
    const Shape& first = layers[0].weights.shape();
    if (shape.rank() != 4 || shape[2] != shape[3] || shape[0] != first[0] || shape[2] != first[2])
      throw std::invalid_argument(
          text("attention rollout: layers must be self-attention of one stack, [B, H, T, T]: \"",
               layers[0].layer, "\" is ", first, ", \"", layer.layer, "\" is ", shape));
    const Tensor mixed = with_residual(layer.weights);
    rollout = rollout.defined() ? matmul(mixed, rollout) : mixed;
  }
  return rollout;
}

}  // namespace gradual
