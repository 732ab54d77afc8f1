#include <gradual/autograd/operations.hpp>

#include <utility>

namespace gradual {

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

Var Var::operator[](Index row) const {
  const Tensor y = value()[row];  // checks the row
  const Index first = row < 0 ? row + dim(0) : row;
  return reshape(slice(*this, 0, first, first + 1), {y.shape().begin(), y.shape().end()});
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
