#include <gradual/core/reference/attention.hpp>

#include <cmath>
#include <limits>

#include <gradual/core/reference/products.hpp>

namespace gradual::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Array zeros(Index rows, Index columns) {
  return xt::zeros<double>({static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
}
Index rows(const Array& x) { return static_cast<Index>(x.shape(0)); }
Index columns(const Array& x) { return static_cast<Index>(x.shape(1)); }
Array as_column(const Array& x) { return xt::view(x, xt::all(), xt::newaxis()); }

Array transposed(const Array& x) { return xt::transpose(x); }

// q[t, h] + k[s, h], [T, S, H]
Array all_sums(const Array& q, const Array& k) {
  return xt::view(q, xt::all(), xt::newaxis(), xt::all()) + xt::view(k, xt::newaxis(), xt::all(), xt::all());
}

}  // namespace

Array visible_keys(const AttentionMask& mask, Index sentence, Index queries, Index keys) {
  Array visible = zeros(queries, keys);
  const Indices& lengths = mask.valid_lengths;
  for (Index t = 0; t < queries; ++t) {
    const Index place = t + keys - queries;
    const Index valid = lengths.size() == 0           ? keys
                        : lengths.shape().rank() == 1 ? lengths[sentence]
                                                      : lengths[sentence * queries + t];
    for (Index s = 0; s < valid; ++s)
      visible(t, s) =
          (!mask.causal || s <= place) && (mask.window == 0 || std::abs(s - place) <= mask.window);
  }
  return visible;
}

Array bias_by_distance(const Array& biases, Index queries, Index keys) {
  Array bias = zeros(queries, keys);
  for (Index t = 0; t < queries; ++t)
    for (Index s = 0; s < keys; ++s) bias(t, s) = biases(s - t + queries - 1);
  return bias;
}

Array bias_by_distance_backward(const Array& d_scores) {
  const Index queries = rows(d_scores), keys = columns(d_scores);
  Array sums = xt::zeros<double>({static_cast<std::size_t>(std::max<Index>(queries + keys - 1, 0))});
  for (Index t = 0; t < queries; ++t)
    for (Index s = 0; s < keys; ++s) sums(s - t + queries - 1) += d_scores(t, s);
  return sums;
}

Array attention_weights(const Array& q, const Array& k, double scale, const Array& bias,
                        const Array& visible) {
  if (visible.size() == 0) return visible;
  const Array scores = xt::where(visible > 0, scale * matmul(q, transposed(k)) + bias, -infinity);
  const Array largest = xt::amax(scores, {1});
  const Array exponentials = xt::exp(scores - as_column(xt::where(largest > -infinity, largest, 0.0)));
  const Array sums = xt::sum(exponentials, {1});
  return exponentials / as_column(xt::where(xt::equal(sums, 0.0), 1.0, sums));
}

Array attention(const Array& weights, const Array& dropout, const Array& v) {
  return matmul(weights * dropout, v);
}

AttentionGradients attention_backward(const Array& q, const Array& k, const Array& v, double scale,
                                      const Array& weights, const Array& dropout, const Array& d_out) {
  const Array d_weights = dropout * matmul(d_out, transposed(v));
  const Array dots = xt::sum(weights * d_weights, {1});
  const Array d_scores = weights * (d_weights - as_column(dots));
  return {scale * matmul(d_scores, k), scale * matmul(transposed(d_scores), q),
          matmul(transposed(weights * dropout), d_out), d_scores};
}

Array additive_scores(const Array& q, const Array& k, const Array& v) {
  return xt::sum(v * xt::tanh(all_sums(q, k)), {2});
}

AdditiveGradients additive_scores_backward(const Array& q, const Array& k, const Array& v, const Array& dy) {
  const Array a = xt::tanh(all_sums(q, k)), upstream = xt::view(dy, xt::all(), xt::all(), xt::newaxis());
  const Array g = upstream * v * (1 - a * a);
  return {xt::sum(g, {1}), xt::sum(g, {0}), xt::sum(upstream * a, {0, 1})};
}

Array rotate(const Array& x, const Rotation& rotation) {
  Array y = x;
  for (Index n = 0; n < rows(x); ++n) {
    for (Index i = 0; i < rotation.columns; i += 2) {
      const double exponent =
          static_cast<double>(i % rotation.head_width) / static_cast<double>(rotation.head_width);
      const double angle = static_cast<double>(rotation.first_place + n) / std::pow(10000.0, exponent);
      y(n, i) = x(n, i) * std::cos(angle) - x(n, i + 1) * std::sin(angle);
      y(n, i + 1) = x(n, i) * std::sin(angle) + x(n, i + 1) * std::cos(angle);
    }
  }
  return y;
}

}  // namespace gradual::reference
