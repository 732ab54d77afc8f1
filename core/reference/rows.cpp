#include <gradual/core/reference/rows.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

#include <gradual/core/reference/products.hpp>

namespace gradual::reference {
namespace {

// Reductions of the last axis, which stays with one element. They are stored: xtensor's lazy ones give wrong
// numbers when they are broadcast.
Array sum_of_rows(const Array& x) { return xt::sum(x, {x.dimension() - 1}, xt::keep_dims); }
Array top_of_rows(const Array& x) { return xt::amax(x, {x.dimension() - 1}, xt::keep_dims); }
Array mean_of_rows(const Array& x) { return sum_of_rows(x) / static_cast<double>(x.shape().back()); }

// Over all axes but the last.
Array sum_of_columns(const Array& x) { return xt::sum(x, {0}); }

}  // namespace

Array softmax(const Array& x) {
  if (x.size() == 0) return x;
  const Array e = xt::exp(x - top_of_rows(x)), total = sum_of_rows(e);
  return e / total;
}

Array softmax_backward(const Array& y, const Array& dy) {
  const Array dot = sum_of_rows(y * dy);
  return y * (dy - dot);
}

Array masked_softmax(const Array& x, const Indices& valid) {
  std::vector<std::size_t> shape = xtensor_shape(valid.shape());
  shape.resize(x.dimension(), 1);  // [B, 1, 1] or [B, T, 1]
  Array lengths(shape);
  std::copy(valid.begin(), valid.end(), lengths.begin());
  const Array key = xt::arange<double>(static_cast<double>(x.shape().back()));
  const Array scores = xt::where(key < lengths, x, -std::numeric_limits<double>::infinity());
  return xt::where(key < lengths, softmax(scores), 0.0);
}

Array log_softmax(const Array& x) {
  if (x.size() == 0) return x;
  const Array above = x - top_of_rows(x), total = sum_of_rows(xt::exp(above));
  return above - xt::log(total);
}

Array log_softmax_backward(const Array& y, const Array& dy) {
  const Array total = sum_of_rows(dy);
  return dy - xt::exp(y) * total;
}

Array layer_norm(const Array& x, const Array& gain, const Array& bias, double epsilon) {
  const Array centred = x - mean_of_rows(x), variance = mean_of_rows(centred * centred);
  return centred / xt::sqrt(variance + epsilon) * gain + bias;
}

NormGradients layer_norm_backward(const Array& x, const Array& gain, const Array& dy, double epsilon) {
  const Array centred = x - mean_of_rows(x), variance = mean_of_rows(centred * centred);
  const Array deviation = xt::sqrt(variance + epsilon), normal = centred / deviation, g = dy * gain;
  const Array mean_g = mean_of_rows(g), mean_gx = mean_of_rows(g * normal);
  return {(g - mean_g - normal * mean_gx) / deviation, sum_of_columns(dy * normal), sum_of_columns(dy)};
}

Array rms_norm(const Array& x, const Array& gain, double epsilon) {
  const Array mean_square = mean_of_rows(x * x);
  return x / xt::sqrt(mean_square + epsilon) * gain;
}

NormGradients rms_norm_backward(const Array& x, const Array& gain, const Array& dy, double epsilon) {
  const Array mean_square = mean_of_rows(x * x), size = xt::sqrt(mean_square + epsilon), normal = x / size;
  const Array mean_gx = mean_of_rows(dy * gain * normal);
  return {(dy * gain - normal * mean_gx) / size, sum_of_columns(dy * normal), {}};
}

Loss cross_entropy(const Array& logits, const Indices& targets, std::int32_t ignored, double smoothing) {
  const double classes = static_cast<double>(logits.shape().back());
  Array wanted = xt::zeros_like(logits), counts = xt::zeros<double>({logits.shape(0), std::size_t(1)});
  for (Index r = 0; r < targets.size(); ++r) {
    if (targets[r] == ignored) continue;
    counts(r, 0) = 1;
    xt::row(wanted, r) = smoothing / classes;
    wanted(r, targets[r]) += 1 - smoothing;
  }
  const double counted = std::max(xt::sum(counts)(), 1.0);
  return {
      -xt::sum(wanted * log_softmax(logits))() / counted, (softmax(logits) * counts - wanted) / counted, {}};
}

Loss linear_cross_entropy(const Array& x, const Array& weight, const Indices& targets, std::int32_t ignored,
                          double smoothing) {
  const Loss loss = cross_entropy(matmul(x, xt::transpose(weight)), targets, ignored, smoothing);
  return {loss.value, matmul(loss.inputs, weight), matmul(xt::transpose(loss.inputs), x)};
}

std::vector<std::vector<std::int32_t>> ranking(const Array& logits) {
  std::vector<std::vector<std::int32_t>> rows;
  for (std::size_t r = 0; r < logits.shape(0); ++r) {
    std::vector<std::int32_t>& row = rows.emplace_back(logits.shape(1));
    std::iota(row.begin(), row.end(), 0);
    std::stable_sort(row.begin(), row.end(),
                     [&](std::int32_t a, std::int32_t b) { return logits(r, a) > logits(r, b); });
  }
  return rows;
}

}  // namespace gradual::reference
