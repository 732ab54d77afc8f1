#include <gradual/nn/layers/packed_weights.hpp>

#include <utility>

#include <gradual/core/products/products.hpp>
#include <gradual/core/products/split_product.hpp>

namespace gradual {
namespace {

thread_local PackedWeights* weights_in_use = nullptr;

// Whether they are the same numbers, which a copy keeps from being written to: not only of one block, of
// which a weight may be any part.
bool is_same(const Tensor& a, const Tensor& b) { return a.data() == b.data() && a.shape() == b.shape(); }

}  // namespace

PackedWeights::Use::Use(PackedWeights& weights) : before_(std::exchange(weights_in_use, &weights)) {}
PackedWeights::Use::~Use() { weights_in_use = before_; }

PackedWeights* PackedWeights::in_use() { return weights_in_use; }

PackedWeights::Packed PackedWeights::pack(const Tensor& weight) const {
  if (precision_ == Precision::int8) return Int8Matrix::of_weight(weight);
  return PackedMatrix::of_weight(weight);
}

PackedWeights::Packed PackedWeights::of_rows(const Var& weight, const std::vector<std::int32_t>& rows) const {
  const NoGrad no_grad;
  return pack(embedding({Shape{static_cast<Index>(rows.size())}, rows}, weight).value());
}

// A weight whose numbers may be written to at any time is packed for each product: no copy of it shares them.
std::shared_ptr<const PackedWeights::Packed> PackedWeights::packed(const Tensor& weight, Index first,
                                                                   Index last) {
  const auto key = std::tuple(&weight, first, last);
  {
    const std::lock_guard lock(mutex_);
    const auto found = copies_.find(key);
    if (found != copies_.end() && is_same(found->second.of, weight)) return found->second.packed;
  }
  // Not under the lock: packing is shared out to threads, which may come by here.
  const Tensor rows = weight.rows(first, last);
  auto made = std::make_shared<const Packed>(pack(rows));
  if (weight.is_exposed()) return made;
  const std::lock_guard lock(mutex_);
  copies_[key] = {weight, made};
  return made;
}

Tensor PackedWeights::linear(const Tensor& x, const Var& weight, const Var& bias, Index first, Index last) {
  const Tensor& all = weight.value();
  const Tensor added = bias.defined() ? bias.value().rows(first, last) : Tensor();
  const Index out = last - first, in = x.rank() > 0 ? x.dim(-1) : 0;
  const bool fits =
      in > 0 && all.rank() == 2 && all.dim(1) == in && (!added.defined() || added.shape() == Shape{out});
  const Index rows = fits ? x.size() / in : 0;
  const bool as_they_are = precision_ == Precision::real && prefers_splitting(rows, out, in);
  if (!fits || as_they_are) return gradual::linear(x, all.rows(first, last), added);
  Shape shape = x.shape();
  shape.set(-1, out);
  Tensor y(shape);
  const ProductResult result{y.unguarded_data(), out, 1, 0, added.defined() ? added.data() : nullptr};
  std::visit(
      [&](const auto& matrix) {
        parallel_multiply(rows, {x.data(), in}, matrix, result);
      },
      *packed(all, first, last));
  return y;
}

TopClasses PackedWeights::top_log_softmax(const Tensor& x, const Var& weight, Index count,
                                          const std::vector<std::int32_t>& excluded) {
  return gradual::top_log_softmax(x, *packed(weight.value(), 0, weight.dim(0)), count, excluded);
}

TopClasses top_log_softmax(const Tensor& x, const PackedWeights::Packed& weight, Index count,
                           const std::vector<std::int32_t>& excluded) {
  return std::visit([&](const auto& matrix) { return top_log_softmax(x, matrix, count, excluded); }, weight);
}

Var linear_by_rows(const Var& x, const Var& weight, const Var& bias, Index first, Index last) {
  if (PackedWeights* packed = PackedWeights::in_use())
    return packed->linear(x.value(), weight, bias, first, last);
  if (first == 0 && last == weight.dim(0)) return linear(x, weight, bias);
  return linear(x, slice(weight, 0, first, last), bias.defined() ? slice(bias, 0, first, last) : bias);
}

}  // namespace gradual
