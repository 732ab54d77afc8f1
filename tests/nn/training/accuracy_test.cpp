#include <gradual/nn/training/accuracy.hpp>

#include <limits>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("accuracy: the share of targets with the largest logit, where there is a target") {
  const Tensor logits({2, 2, 3}, {1, 5, 2, 9, 0, 0, -1, -2, -3, 4, 4, 7});
  CHECK(accuracy(logits, Indices({2, 2}, {1, 0, 0, 2})) == 1);
  CHECK(accuracy(logits, Indices({2, 2}, {1, 1, -1, 2})) == Approx(2.0 / 3));
  CHECK(accuracy(logits, Indices({2, 2}, {-1, -1, -1, -1})) == 0);
  CHECK(accuracy(logits, Indices({2, 2}, {0, 0, 0, 2})) == Approx(3.0 / 4));  // 0 is a target
  const Real none = std::numeric_limits<Real>::quiet_NaN();
  CHECK(accuracy(Tensor({3, 2}, {none, none, none, 1, 1, none}), Indices({3}, {0, 1, 0})) == 0);
  CHECK_THROWS_WITH(accuracy(logits, Indices({2}, {1, 1})), Contains("a row of logits for each target"));
  CHECK_THROWS_WITH(accuracy(logits, Indices({2, 2}, {1, 1, 3, 0})), Contains("below 3: got 3"));
}
