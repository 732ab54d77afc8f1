// Gradients of products with sparse rows.
#include <gradual/nn/graph/sparse_rows.hpp>

#include "support/operations.hpp"

using namespace gradual;

TEST_CASE("sparse rows: gradients of a product match finite differences") {
  const SparseRows wide(5, {{{0, 2}, {4, -1}}, {}, {{3, 3}}}),
      tall(2, {{{1, 4}}, {}, {{0, 1}, {1, 2}}, {{0, -3}}});
  for (const SparseRows& x : {wide, tall}) {
    check_operation(
        [&](const auto& w) {
          const Var y = x.linear(w[0], DropoutMask(0.3, 5));
          return concat({reshape(y * y, {-1}), reshape(w[0] * w[0], {-1})}, 0);
        },
        {random_tensor({3, x.columns()}, 1)});
  }
}
