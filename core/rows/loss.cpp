#include <gradual/core/rows/loss.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/rows/passes.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

Index count_targets(const char* operation, const Shape& rows, const Indices& targets, Index classes,
                    const CrossEntropyOptions& options) {
  if (targets.shape() != rows)
    throw std::invalid_argument(text(operation, ": there must be one target for each row: rows are ", rows,
                                     ", targets are ", targets.shape()));
  if (!(options.label_smoothing >= 0 && options.label_smoothing < 1))
    throw std::invalid_argument(
        text(operation, ": label smoothing must lie in [0, 1): got ", options.label_smoothing));
  if (!(options.consistency >= 0 && std::isfinite(options.consistency)))
    throw std::invalid_argument(
        text(operation, ": the weight of consistency must not be negative: got ", options.consistency));
  const auto middle = targets.begin() + targets.size() / 2;
  if (options.consistency > 0 && !std::equal(targets.begin(), middle, middle, targets.end()))
    throw std::invalid_argument(
        text(operation, ": for consistency the second half of the targets must be the first again: they are ",
             targets.shape()));
  Index counted = 0;
  for (std::int32_t target : targets) {
    if (target == options.ignored) continue;
    if (target < 0 || target >= classes)
      throw std::invalid_argument(
          text(operation, ": targets must lie in 0 … ", classes - 1, ": got ", target));
    ++counted;
  }
  return counted;
}

// The loss of one row; overwrites its logits with (p - q)·scale.
double row_loss(Real* logits, Index classes, Index target, double smoothing, Real scale) {
  const Real top = largest(logits, classes), target_logit = logits[target];
  Real total = 0, logit_sum = 0;
#pragma omp simd reduction(+ : total, logit_sum)
  for (Index j = 0; j < classes; ++j) {
    logit_sum += logits[j];
    const Real e = vector_exp_of_negative(logits[j] - top);
    logits[j] = e;
    total += e;
  }
  const double log_total = static_cast<double>(top) + std::log(static_cast<double>(total));
  const Real normalizer = scale / total;
  const Real spread = static_cast<Real>(smoothing) / static_cast<Real>(classes) * scale;
#pragma omp simd
  for (Index j = 0; j < classes; ++j) logits[j] = logits[j] * normalizer - spread;
  logits[target] -= static_cast<Real>(1 - smoothing) * scale;
  // -Σ q_j·log p_j = log Σ e^x - (1 - ε)·x_target - ε·mean(x)
  const double loss = log_total - (1 - smoothing) * static_cast<double>(target_logit);
  if (smoothing == 0) return loss;  // the mean is -∞ where a class is ruled out, and 0·∞ is not a number
  return loss - smoothing * static_cast<double>(logit_sum) / static_cast<double>(classes);
}

// Losses of rows first … last - 1; their logits become gradients.
void losses_of_rows(Real* logits, Index rows, Index classes, const std::int32_t* targets,
                    const CrossEntropyOptions& options, Real scale, double* losses) {
  parallel_rows(rows, classes, [=, &options](Index first, Index last) {
    for (Index r = first; r < last; ++r) {
      Real* row = logits + r * classes;
      if (targets[r] == options.ignored) {
        std::fill_n(row, classes, Real(0));
        losses[r] = 0;
      } else {
        losses[r] = row_loss(row, classes, targets[r], options.label_smoothing, scale);
      }
    }
  });
}

// Σ e^(x - top), and Σ e^(x - top)·(x - y), which is not a number where both rule a class out: that counts 0.
struct PairSums {
  Real total, difference;
};
PairSums pair_sums(const Real* x, const Real* y, Index classes, Real top) {
  Real total = 0, difference = 0;
#pragma omp simd reduction(+ : total, difference)
  for (Index j = 0; j < classes; ++j) {
    const Real e = vector_exp_of_negative(x[j] - top);
    total += e;
    difference += e > 0 ? e * (x[j] - y[j]) : Real(0);
  }
  return {total, difference};
}

// D of two rows; adds its derivatives, times the scale, to the gradients that their logits have become.
double consistency_of_rows(const Real* x, const Real* y, Real* dx, Real* dy, Index classes, Real scale) {
  const Real top_x = largest(x, classes), top_y = largest(y, classes);
  const PairSums of_x = pair_sums(x, y, classes, top_x), of_y = pair_sums(y, x, classes, top_y);
  const Real share_x = 1 / of_x.total, share_y = 1 / of_y.total;
  const Real mean_x = of_x.difference * share_x, mean_y = of_y.difference * share_y;
  const Real half = scale / 2;
#pragma omp simd
  for (Index j = 0; j < classes; ++j) {
    const Real p = vector_exp_of_negative(x[j] - top_x) * share_x,
               q = vector_exp_of_negative(y[j] - top_y) * share_y;
    const Real d = p + q > 0 ? x[j] - y[j] : Real(0);
    dx[j] += half * (p * (d - mean_x) + p - q);
    dy[j] += half * (q * (-d - mean_y) + q - p);
  }
  return (static_cast<double>(mean_x) + static_cast<double>(mean_y)) / 2;
}

// Losses of rows that belong together in two: `logits` [2·rows, V] are those of one pass and of the other,
// and become gradients. Each loss is that of both rows.
void losses_of_pairs(Real* logits, Index rows, Index classes, const std::int32_t* targets,
                     const CrossEntropyOptions& options, Real scale, double* losses) {
  const double weight = 2 * options.consistency;  // a pair is two of the counted targets
  parallel_rows(rows, 2 * classes, [=, &options](Index first, Index last) {
    const auto width = static_cast<std::size_t>(classes);
    std::vector<Real> x(width), y(width);
    for (Index r = first; r < last; ++r) {
      Real *const dx = logits + r * classes, *const dy = dx + rows * classes;
      if (targets[r] == options.ignored) {
        std::fill_n(dx, classes, Real(0));
        std::fill_n(dy, classes, Real(0));
        losses[r] = 0;
        continue;
      }
      std::copy_n(dx, classes, x.data());
      std::copy_n(dy, classes, y.data());
      losses[r] = row_loss(dx, classes, targets[r], options.label_smoothing, scale) +
                  row_loss(dy, classes, targets[r], options.label_smoothing, scale) +
                  weight * consistency_of_rows(x.data(), y.data(), dx, dy, classes,
                                               static_cast<Real>(weight) * scale);
    }
  });
}

Real mean_loss(const std::vector<double>& losses, Index counted) {
  double total = 0;
  for (double loss : losses) total += loss;
  return counted == 0 ? Real(0) : static_cast<Real>(total / static_cast<double>(counted));
}

}  // namespace

LossGradients cross_entropy(const Tensor& logits, const Indices& targets, const CrossEntropyOptions& options,
                            bool with_gradient) {
  if (logits.rank() == 0 || logits.dim(-1) == 0)
    throw std::invalid_argument(
        text("cross_entropy: logits must be [..., V] with at least one class: they are ", logits.shape()));
  const Index classes = logits.dim(-1);
  LossGradients result;
  result.counted =
      count_targets("cross_entropy", logits.shape().slice(0, logits.rank() - 1), targets, classes, options);
  result.inputs = logits;
  std::vector<double> losses(static_cast<std::size_t>(targets.size()));
  const Real scale = Real(1) / static_cast<Real>(std::max<Index>(result.counted, 1));
  Real* const gradients = result.inputs.unguarded_data();
  if (options.consistency > 0)
    losses_of_pairs(gradients, targets.size() / 2, classes, targets.data(), options, scale, losses.data());
  else
    losses_of_rows(gradients, targets.size(), classes, targets.data(), options, scale, losses.data());
  result.loss = mean_loss(losses, result.counted);
  if (!with_gradient) result.inputs = Tensor();
  return result;
}

LossGradients linear_cross_entropy(const Tensor& x, const Tensor& weight, const Indices& targets,
                                   const CrossEntropyOptions& options, bool with_gradient) {
  if (x.rank() == 0 || weight.rank() != 2 || x.dim(-1) != weight.dim(1) || weight.dim(0) == 0)
    throw std::invalid_argument(text("linear_cross_entropy: x must be [..., D] and the weight [V, D]: x is ",
                                     x.shape(), ", weight is ", weight.shape()));
  const Index classes = weight.dim(0), width = weight.dim(1), rows = targets.size();
  LossGradients result;
  result.counted =
      count_targets("linear_cross_entropy", x.shape().slice(0, x.rank() - 1), targets, classes, options);
  const Real scale = Real(1) / static_cast<Real>(std::max<Index>(result.counted, 1));
  if (with_gradient) {
    result.inputs = Tensor(x.shape());
    result.weight = Tensor(weight.shape());
    if (rows == 0) result.weight.fill(0);
  }
  constexpr Index block_elements = 2'500'000;  // 10 MB of floats: enough rows to keep the products efficient
  const Index passes = options.consistency > 0 ? 2 : 1, rows_of_pass = rows / passes;
  const Index block =
      std::clamp<Index>(block_elements / classes / passes, 64, std::max<Index>(rows_of_pass, 64));
  Tensor logits({passes * std::min(block, rows_of_pass), classes});
  std::vector<double> losses(static_cast<std::size_t>(rows));
  for (Index first = 0; first < rows_of_pass; first += block) {
    const Index count = std::min(block, rows_of_pass - first);
    // Of each pass, where its rows of this block begin, and their logits.
    const auto place = [&](Index pass) { return (pass * rows_of_pass + first) * width; };
    const auto table = [&](Index pass) { return logits.unguarded_data() + pass * count * classes; };
    for (Index pass = 0; pass < passes; ++pass)
      parallel_gemm(count, classes, width, 1, {x.data() + place(pass), width}, {weight.data(), width, true},
                    0, table(pass), classes);
    (passes == 2 ? losses_of_pairs : losses_of_rows)(table(0), count, classes, targets.data() + first,
                                                     options, scale, losses.data() + first);
    for (Index pass = 0; with_gradient && pass < passes; ++pass) {
      parallel_gemm(count, width, classes, 1, {table(pass), classes}, {weight.data(), width}, 0,
                    result.inputs.unguarded_data() + place(pass), width);
      parallel_gemm(classes, width, count, 1, {table(pass), classes, true}, {x.data() + place(pass), width},
                    first == 0 && pass == 0 ? Real(0) : Real(1), result.weight.unguarded_data(), width);
    }
  }
  result.loss = mean_loss(losses, result.counted);
  return result;
}

}  // namespace gradual
