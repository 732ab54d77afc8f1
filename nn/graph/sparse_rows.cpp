#include <gradual/nn/graph/sparse_rows.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

EdgeList entries_as_edges(Index columns, const std::vector<std::vector<SparseEntry>>& rows) {
  std::vector<std::int32_t> from, to;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const SparseEntry& entry : rows[i]) {
      if (entry.column < 0 || entry.column >= columns)
        throw std::invalid_argument(text("sparse rows: columns must lie in 0 … ", columns - 1, ": row ", i,
                                         " has an entry in column ", entry.column));
      from.push_back(static_cast<std::int32_t>(entry.column));
      to.push_back(static_cast<std::int32_t>(i));
    }
  }
  const Shape shape{static_cast<Index>(from.size())};
  return {std::max(columns, static_cast<Index>(rows.size())), Indices(shape, std::move(from)),
          Indices(shape, std::move(to))};
}

// In the order of the edges, which an edge list keeps by target: row by row.
Tensor entry_values(const std::vector<std::vector<SparseEntry>>& rows) {
  std::vector<Real> values;
  for (const auto& row : rows) {
    for (const SparseEntry& entry : row) values.push_back(entry.value);
  }
  return {Shape{static_cast<Index>(values.size()), 1}, values};
}

}  // namespace

SparseRows::SparseRows(Index columns, const std::vector<std::vector<SparseEntry>>& rows)
    : rows_(static_cast<Index>(rows.size())),
      columns_(columns),
      edges_(entries_as_edges(columns, rows)),
      values_(entry_values(rows)) {}

Var SparseRows::linear(const Var& weight, DropoutMask mask) const {
  if (weight.rank() != 2 || weight.dim(1) != columns_)
    throw std::invalid_argument(text("sparse rows: the weight must be [out, F]: F is ", columns_,
                                     ", the weight is ", weight.shape()));
  const Index nodes = edges_.nodes();
  Var table = transpose(weight);  // [F, out]: what each column contributes
  if (nodes > columns_) table = concat({table, Tensor::zeros({nodes - columns_, weight.dim(0)})}, 0);
  const Var sums = sum_along_edges(dropout(Var(values_), mask), table, edges_);
  return nodes > rows_ ? slice(sums, 0, 0, rows_) : sums;
}

Tensor SparseRows::dense() const {
  Tensor result = Tensor::zeros({rows_, columns_});
  Real* to = result.unguarded_data();
  for (Index k = 0; k < size(); ++k)
    to[edges_.targets()[k] * columns_ + edges_.sources()[k]] += values_.data()[k];
  return result;
}

}  // namespace gradual
