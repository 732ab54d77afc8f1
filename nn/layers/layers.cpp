#include <gradual/nn/layers/layers.hpp>

#include <cmath>

#include <gradual/nn/layers/initialization.hpp>
#include <gradual/nn/layers/packed_weights.hpp>

namespace gradual {

Linear::Linear(Index in, Index out, Random random, Bias with_bias)
    : weight(Var::parameter(glorot_uniform(out, in, random))),
      bias(with_bias == Bias::yes ? Var::parameter(Tensor::zeros({out})) : Var()) {}

void Linear::visit(Visitor& visitor) {
  visitor("weight", weight);
  visitor("bias", bias);
}

Var Linear::operator()(const Var& x) const { return linear_by_rows(x, weight, bias, 0, weight.dim(0)); }

Embedding::Embedding(Index entries, Index width, Random random)
    : weight(Var::parameter(
          normal_tensor({entries, width}, 1 / std::sqrt(static_cast<double>(width)), random))) {}

Dropout::Dropout(double p, Random random) : p_(p), random_(random) {
  DropoutMask(p, 0);  // checks p
}

DropoutMask Dropout::next_mask() const {
  if (!mode_.training || p_ == 0 || EvaluationScope::active()) return {};
  return DropoutMask(p_, static_cast<std::uint32_t>(random_.next_u64()));
}

WordDropout::WordDropout(double p, Random random) : p_(p), random_(random) {
  DropoutMask(p, 0);  // checks p
}

Var WordDropout::operator()(const Var& x) const {
  if (!mode_.training || p_ == 0 || EvaluationScope::active()) return x;
  const DropoutMask mask(p_, static_cast<std::uint32_t>(random_.next_u64()));
  Shape shape = x.shape();
  shape.set(-1, 1);
  Tensor kept = Tensor::ones(shape);
  Real* const each = kept.mutable_data();
  for (Index i = 0; i < kept.size(); ++i)
    if (mask(i) == 0) each[i] = 0;
  return x * Var(kept);
}

}  // namespace gradual
