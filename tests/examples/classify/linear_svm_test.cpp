// The linear classifier that `classify` compares attention with.
#include "../../../examples/classify/linear_svm.hpp"

#include "support/catch.hpp"

using namespace gradual;

// By hand: the loss ½·w² + C·(1 - w)² of one row x = 1 is least at w = 2·C / (1 + 2·C).
TEST_CASE("a support vector machine with one row stops short of the margin, as far as C says") {
  for (const double cost : {0.5, 1.0, 4.0})
    CHECK(train_linear_svm({{{0, 1.0f}}}, {7}, 7, 1, cost, Random(1)).front() ==
          Approx(2 * cost / (1 + 2 * cost)).epsilon(1e-3));
}

// By hand: rows a = (1, 1) of the class and b = (1, 0) of another. With both margins violated the gradient of
// ½·‖w‖² + (1 - w₁ - w₂)² + (1 + w₁)² is zero where 5·w₁ + 2·w₂ = 0 and 2·w₁ + 3·w₂ = 2.
TEST_CASE("a support vector machine balances rows of both classes, whatever their order") {
  for (const int seed : {1, 2}) {
    const std::vector<double> w = train_linear_svm({{{0, 1.0f}, {1, 1.0f}}, {{0, 1.0f}}}, {3, 0}, 3, 2, 1,
                                                   Random(static_cast<std::uint64_t>(seed)));
    CHECK(w[0] == Approx(-4.0 / 11).epsilon(1e-3));
    CHECK(w[1] == Approx(10.0 / 11).epsilon(1e-3));
  }
}

// A row beyond the margin costs nothing: by hand, x = 3 and x = 1 of one class. With w ≥ 1/3 the first is
// beyond it, and w = 2/3 as if it were not there.
TEST_CASE("a support vector machine forgets rows that are right by more than the margin") {
  const std::vector<SparseRow> rows = {{{0, 3.0f}}, {{0, 1.0f}}};
  CHECK(train_linear_svm(rows, {1, 1}, 1, 1, 1, Random(1)).front() == Approx(2.0 / 3).epsilon(1e-3));
}
