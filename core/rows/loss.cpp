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
    const Real e = vector_exp(logits[j] - top);
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
  losses_of_rows(result.inputs.unguarded_data(), targets.size(), classes, targets.data(), options,
                 Real(1) / static_cast<Real>(std::max<Index>(result.counted, 1)), losses.data());
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
  const Index block = std::clamp<Index>(block_elements / classes, 64, std::max<Index>(rows, 64));
  Tensor logits({std::min(block, rows), classes});
  std::vector<double> losses(static_cast<std::size_t>(rows));
  Real* table = logits.unguarded_data();
  for (Index first = 0; first < rows; first += block) {
    const Index count = std::min(block, rows - first);
    const Real* block_x = x.data() + first * width;
    parallel_gemm(count, classes, width, 1, {block_x, width}, {weight.data(), width, true}, 0, table,
                  classes);
    losses_of_rows(table, count, classes, targets.data() + first, options, scale, losses.data() + first);
    if (!with_gradient) continue;
    parallel_gemm(count, width, classes, 1, {table, classes}, {weight.data(), width}, 0,
                  result.inputs.unguarded_data() + first * width, width);
    parallel_gemm(classes, width, count, 1, {table, classes, true}, {block_x, width},
                  first == 0 ? Real(0) : Real(1), result.weight.unguarded_data(), width);
  }
  result.loss = mean_loss(losses, result.counted);
  return result;
}

}  // namespace gradual
