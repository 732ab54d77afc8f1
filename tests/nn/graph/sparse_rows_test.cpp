// Rows that hold only what is not zero: the same numbers as rows that hold all.
#include <gradual/nn/graph/sparse_rows.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// Fewer rows than columns, and more; the second row is empty.
const SparseRows wide(5, {{{0, 2}, {4, -1}}, {}, {{3, 3}}});
const SparseRows tall(2, {{{1, 4}}, {}, {{0, 1}, {1, 2}}, {{0, -3}}});

}  // namespace

TEST_CASE("sparse rows: hold the numbers they were given, and zeros") {
  CHECK(difference(wide.dense(), Tensor({3, 5}, {2, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0})) == "");
  CHECK(difference(tall.dense(), Tensor({4, 2}, {0, 4, 0, 0, 1, 2, -3, 0})) == "");
  CHECK(wide.size() == 3);
  CHECK(difference(SparseRows(2, {{{1, 1}, {1, 2}}}).dense(), Tensor({1, 2}, {0, 3})) == "");
}

TEST_CASE("sparse rows: a product is that of the dense rows") {
  for (const SparseRows* x : {&wide, &tall}) {
    const Var weight = random_tensor({3, x->columns()}, 1);
    CHECK(difference(x->linear(weight).value(), linear(Var(x->dense()), weight).value()) == "");
  }
}

TEST_CASE("sparse rows: dropout drops entries and scales the others") {
  std::vector<std::vector<SparseEntry>> rows(1);
  for (Index i = 0; i < 1000; ++i) rows[0].push_back({i, 1});
  const SparseRows ones(1000, rows);
  Tensor identity = Tensor::zeros({1000, 1000});
  for (Index i = 0; i < 1000; ++i) identity.mutable_data()[i * 1000 + i] = 1;
  const Tensor kept = ones.linear(Var(identity), DropoutMask(0.75, 1)).value();
  Index count = 0;
  for (const Real number : kept) {
    CHECK((number == 0 || number == 4));
    count += number == 4;
  }
  CHECK(std::abs(count - 250) < 60);  // more than four standard deviations
}

TEST_CASE("sparse rows: a column that does not exist and a weight of another width are refused") {
  CHECK_THROWS_WITH(SparseRows(3, {{{2, 1}}, {{3, 1}}}),
                    "sparse rows: columns must lie in 0 … 2: row 1 has an entry in column 3");
  CHECK_THROWS_WITH(wide.linear(random_tensor({3, 4}, 1)),
                    "sparse rows: the weight must be [out, F]: F is 5, the weight is [3, 4]");
}
