#include <gradual/core/products/products.hpp>

#include <algorithm>

#include <gradual/core/elements/loops.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// The axes before the last two, and what those of two factors broadcast to.
Shape batches_of(const Shape& x) { return x.slice(0, x.rank() - 2); }
Shape batch_shape(const Shape& a, const Shape& b) {
  try {
    return broadcast_shapes("matmul", batches_of(a), batches_of(b));
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(
        text("matmul: axes before the last two must be equal or 1: a is ", a, ", b is ", b));
  }
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, Transposes transposes) {
  if (a.rank() < 2 || b.rank() < 2)
    throw std::invalid_argument(
        text("matmul: both must have at least two axes: a is ", a.shape(), ", b is ", b.shape()));
  const Index m = a.dim(transposes.a ? -1 : -2), k = a.dim(transposes.a ? -2 : -1);
  const Index inner = b.dim(transposes.b ? -1 : -2), n = b.dim(transposes.b ? -2 : -1);
  const Shape batches = batch_shape(a.shape(), b.shape());
  if (k != inner) {
    const char* hint = transposes.b || k != n ? ""
                       : transposes.a         ? "; did you mean matmul(a, b, {true, true})?"
                                              : "; did you mean matmul(a, transpose(b))?";
    throw std::invalid_argument(text("matmul: inner sizes must match: a is ", a.shape(),
                                     transposes.a ? " transposed" : "", ", b is ", b.shape(),
                                     transposes.b ? " transposed" : "", hint));
  }
  Shape shape = batches;
  shape.push_back(m);
  shape.push_back(n);
  Tensor y(shape);
  if (y.size() == 0) return y;
  const Index a_stride = a.dim(-1), b_stride = b.dim(-1);
  Real* to = y.unguarded_data();
  if (batches.size() == 1) {
    parallel_gemm(m, n, k, 1, {a.data(), a_stride, transposes.a}, {b.data(), b_stride, transposes.b}, 0, to,
                  n);
    return y;
  }
  const Broadcast plan(batches, batches_of(a.shape()), batches_of(b.shape()));
  parallel_each_row(batches.size(), m * n * k, [&](Index batch) {
    const Broadcast::Start row = plan.start(batch / plan.width);
    const Index within = batch % plan.width;
    const Index a_batch = row.a + plan.a_moves * within, b_batch = row.b + plan.b_moves * within;
    gemm(m, n, k, 1, {a.data() + a_batch * m * k, a_stride, transposes.a},
         {b.data() + b_batch * k * n, b_stride, transposes.b}, 0, to + batch * m * n, n);
  });
  return y;
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (weight.rank() != 2 || x.rank() < 1 || x.dim(-1) != weight.dim(1))
    throw std::invalid_argument(
        text("linear: the last axis of x must be the input size of the weight [out, in]: x is ", x.shape(),
             ", weight is ", weight.shape()));
  const Index in = weight.dim(1), out = weight.dim(0);
  if (bias.defined() && bias.shape() != Shape{out})
    throw std::invalid_argument(text("linear: the bias must have the output size: weight is ", weight.shape(),
                                     ", bias is ", bias.shape()));
  Shape shape = x.shape();
  shape.set(-1, out);
  Tensor y(shape);
  Real* to = y.unguarded_data();
  const Index rows = in == 0 ? y.size() / std::max<Index>(out, 1) : x.size() / in;
  const MatrixView rows_of_x{x.data(), in}, transposed_weight{weight.data(), in, true};
  parallel_gemm(rows, out, in, 1, rows_of_x, transposed_weight, 0, to, out,
                bias.defined() ? bias.data() : nullptr);
  return y;
}

}  // namespace gradual
