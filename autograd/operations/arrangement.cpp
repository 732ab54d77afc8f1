#include <gradual/autograd/operations.hpp>

#include <numeric>
#include <utility>

namespace gradual {

Var reshape(const Var& x, const std::vector<Index>& sizes) {
  return record("reshape", x.value().reshaped(sizes),
                {{x, [shape = x.shape()](const Tensor& dy) { return dy.with_shape(shape); }}});
}

Var transpose(const Var& x, const Axes& order) {
  Tensor y = transpose(x.value(), order);  // checks the order
  Axes inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inverse[static_cast<std::size_t>(x.shape().normalized_axis(order[i]))] = static_cast<Index>(i);
  return record("transpose", std::move(y),
                {{x, [inverse](const Tensor& dy) { return transpose(dy, inverse); }}});
}

Var transpose(const Var& x) {
  Axes order(static_cast<std::size_t>(x.rank()));
  std::iota(order.begin(), order.end(), Index(0));
  if (order.size() >= 2) std::swap(order[order.size() - 1], order[order.size() - 2]);
  return transpose(x, order);
}

Var concat(const std::vector<Var>& parts, Index axis) {
  std::vector<Tensor> values;
  std::vector<Index> sizes;
  for (const Var& part : parts) values.push_back(part.value());
  Tensor y = concat(values, axis);
  for (const Tensor& value : values) sizes.push_back(value.dim(axis));
  return record("concat", std::move(y), parts,
                [axis, sizes](const Tensor& dy, const std::vector<Gradient>& dx) {
                  Index first = 0;
                  for (std::size_t i = 0; i < dx.size(); ++i) {
                    if (dx[i].wanted()) dx[i].add(slice(dy, axis, first, first + sizes[i]));
                    first += sizes[i];
                  }
                });
}

Var slice(const Var& x, Index axis, Index first, Index last) {
  return record("slice", slice(x.value(), axis, first, last), std::vector<Var>{x},
                [axis, first](const Tensor& dy, const std::vector<Gradient>& dx) {
                  add_to_slice(dx[0].sum(), dy, axis, first);
                });
}

Var gather(const Var& x, Index axis, const Indices& indices) {
  return record("gather", gather(x.value(), axis, indices), std::vector<Var>{x},
                [axis, indices](const Tensor& dy, const std::vector<Gradient>& dx) {
                  add_gathered(dx[0].sum(), dy, axis, indices);
                });
}

Var embedding(const Indices& indices, const Var& table) {
  return record("embedding", take_rows(table.value(), indices), std::vector<Var>{table},
                [indices](const Tensor& dy, const std::vector<Gradient>& dx) {
                  add_to_rows(dx[0].sum(), dy, indices);
                });
}

}  // namespace gradual
