#include <gradual/core/attention/additive.hpp>

#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/elements/vector_math.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

void check(const Tensor& q, const Tensor& k, const Tensor& v) {
  if (q.rank() != 3 || k.rank() != 3 || v.rank() != 1 || q.dim(0) != k.dim(0) || q.dim(2) != v.dim(0) ||
      k.dim(2) != v.dim(0))
    throw std::invalid_argument(
        text("additive_scores: queries must be [B, T, H], keys [B, S, H] and v [H]: queries are ", q.shape(),
             ", keys are ", k.shape(), ", v is ", v.shape()));
}

}  // namespace

Tensor additive_scores(const Tensor& q, const Tensor& k, const Tensor& v) {
  check(q, k, v);
  const Index T = q.dim(1), S = k.dim(1), H = q.dim(2);
  Tensor y({q.dim(0), T, S});
  parallel_rows(q.dim(0) * T, S * H,
                [=, queries = q.data(), keys = k.data(), factors = v.data(), scores = y.unguarded_data()](
                    Index first, Index last) {
                  for (Index row = first; row < last; ++row) {
                    const Real* query = queries + row * H;
                    for (Index s = 0; s < S; ++s) {
                      const Real* key = keys + (row / T * S + s) * H;
                      Real score = 0;
#pragma omp simd reduction(+ : score)
                      for (Index h = 0; h < H; ++h) score += factors[h] * vector_tanh(query[h] + key[h]);
                      scores[row * S + s] = score;
                    }
                  }
                });
  return y;
}

AdditiveGradients additive_scores_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                           const Tensor& dy) {
  check(q, k, v);
  if (dy.shape() != Shape{q.dim(0), q.dim(1), k.dim(1)})
    throw std::invalid_argument(
        text("additive_scores: the gradient must have the shape of the scores, [B, T, S]: queries are ",
             q.shape(), ", keys are ", k.shape(), ", the gradient is ", dy.shape()));
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), H = q.dim(2);
  AdditiveGradients gradients{Tensor::zeros(q.shape()), Tensor::zeros(k.shape()), {}};
  Tensor v_sums = Tensor::zeros({B, H});  // for each batch, so that threads can share them
  parallel_rows(B, T * S * H,
                [=, queries = q.data(), keys = k.data(), factors = v.data(), upstream = dy.data(),
                 d_queries = gradients.q.unguarded_data(), d_keys = gradients.k.unguarded_data(),
                 d_factors = v_sums.unguarded_data()](Index first, Index last) {
                  for (Index b = first; b < last; ++b) {
                    Real* d_factor = d_factors + b * H;
                    for (Index t = b * T; t < (b + 1) * T; ++t) {
                      const Real* query = queries + t * H;
                      Real* d_query = d_queries + t * H;
                      for (Index s = 0; s < S; ++s) {
                        const Real* key = keys + (b * S + s) * H;
                        Real* d_key = d_keys + (b * S + s) * H;
                        const Real d = upstream[t * S + s];
#pragma omp simd
                        for (Index h = 0; h < H; ++h) {
                          const Real a = vector_tanh(query[h] + key[h]);
                          const Real d_sum = d * factors[h] * (1 - a * a);
                          d_query[h] += d_sum;
                          d_key[h] += d_sum;
                          d_factor[h] += d * a;
                        }
                      }
                    }
                  }
                });
  gradients.v = column_sums(v_sums, H);
  return gradients;
}

}  // namespace gradual
