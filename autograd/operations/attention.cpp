#include <gradual/autograd/operations.hpp>

#include <cmath>
#include <utility>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

AttentionSizes checked_sizes(const Columns& q, const Columns& k, const Columns& v, Index heads,
                             Index key_width, Index value_width) {
  const auto shape = [](const Columns& c) { return c.source.defined() ? c.source.shape() : Shape(); };
  const auto fits = [&](const Columns& c, Index width) {
    return shape(c).rank() == 3 && c.first >= 0 && c.first <= c.source.dim(2) &&
           width <= (c.source.dim(2) - c.first) / heads && c.source.dim(0) == q.source.dim(0);
  };
  if (heads < 1 || key_width < 1 || value_width < 0 || !fits(q, key_width) || !fits(k, key_width) ||
      !fits(v, value_width) || k.source.dim(1) != v.source.dim(1))
    throw std::invalid_argument(
        text("attention: q must be [B, T, H·d_k], k [B, S, H·d_k] and v [B, S, H·d_v]: H is ", heads,
             ", d_k is ", key_width, ", d_v is ", value_width, ", q is ", shape(q), " from column ", q.first,
             ", k is ", shape(k), " from column ", k.first, ", v is ", shape(v), " from column ", v.first));
  return {q.source.dim(0), heads, q.source.dim(1), k.source.dim(1), key_width, value_width};
}

HeadsView view(const Tensor& x, Index first) { return {x.data() + first, x.dim(-1)}; }

// Gradients of the columns of up to three sources. The kernel overwrites its columns, so only columns of the
// same source that do not overlap share one tensor.
class ColumnGradients {
 public:
  ColumnGradients(const std::vector<Columns>& columns, const std::vector<Index>& widths) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto overlaps = [&](std::size_t j) {
        return columns[i].first < columns[j].first + widths[j] &&
               columns[j].first < columns[i].first + widths[i];
      };
      const auto can_share = [&](std::size_t owner) {
        if (owner_[owner] != owner || !columns[owner].source.is_same_as(columns[i].source)) return false;
        for (std::size_t j = owner; j < i; ++j)
          if (owner_[j] == owner && overlaps(j)) return false;
        return true;
      };
      std::size_t owner = 0;
      while (owner < i && !can_share(owner)) ++owner;
      owner_.push_back(owner);
      first_.push_back(columns[i].first);
      shapes_.push_back(columns[i].source.shape());
      covered_.push_back(0);
      covered_[owner] += widths[i];
    }
  }

  // Columns that the kernel does not write must be zero.
  std::vector<Tensor> allocate() const {
    std::vector<Tensor> result(owner_.size());
    for (std::size_t i = 0; i < owner_.size(); ++i) {
      if (owner_[i] == i)
        result[i] = covered_[i] == shapes_[i][-1] ? Tensor(shapes_[i]) : Tensor::zeros(shapes_[i]);
    }
    return result;
  }

  WritableHeadsView view(std::vector<Tensor>& gradients, std::size_t i) const {
    return {gradients[owner_[i]].unguarded_data() + first_[i], shapes_[i][-1]};
  }

 private:
  std::vector<std::size_t> owner_;
  std::vector<Index> first_, covered_;
  std::vector<Shape> shapes_;
};

}  // namespace

Var attention(const Columns& q, const Columns& k, const Columns& v, Index heads, Index key_width,
              Index value_width, const AttentionOptions& options) {
  const AttentionSizes sizes = checked_sizes(q, k, v, heads, key_width, value_width);
  const AttentionSettings settings{options.mask, 1 / std::sqrt(static_cast<Real>(key_width)), options.dropout,
                                   options.bias.defined() ? options.bias.value() : Tensor()};
  const Tensor qs = q.source.value(), ks = k.source.value(), vs = v.source.value();
  Tensor y({sizes.batch, sizes.queries, heads * value_width});
  const AttentionMemory memory =
      attention_forward(sizes, settings, view(qs, q.first), view(ks, k.first), view(vs, v.first),
                        {y.unguarded_data(), y.dim(-1)}, options.weights != nullptr);
  if (options.weights) *options.weights = memory.weights;

  const ColumnGradients columns({q, k, v}, {heads * key_width, heads * key_width, heads * value_width});
  return record("attention", std::move(y), std::vector<Var>{q.source, k.source, v.source, options.bias},
                [=, q_first = q.first, k_first = k.first, v_first = v.first](
                    const Tensor& dy, const std::vector<Gradient>& dx) {
                  std::vector<Tensor> gradients = columns.allocate();
                  Tensor d_bias = attention_backward(sizes, settings, memory, view(qs, q_first),
                                                     view(ks, k_first), view(vs, v_first), view(dy, 0),
                                                     columns.view(gradients, 0), columns.view(gradients, 1),
                                                     columns.view(gradients, 2), dx[3].wanted());
                  gradients.push_back(std::move(d_bias));
                  for (std::size_t i = 0; i < dx.size(); ++i) {
                    if (gradients[i].defined()) dx[i].add(std::move(gradients[i]));
                  }
                });
}

}  // namespace gradual
