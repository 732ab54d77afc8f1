#include "unseen_bugs.hpp"

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("unseen bugs: each runs, so that nothing but the result is wrong") {
  for (const unseen::Bug& bug : unseen::six_bugs()) {
    INFO(bug.name);
    const unseen::Program program = bug.plant();
    const Var loss = program.model->loss(program.batch(0), {});
    backward(loss);
    CHECK(std::isfinite(loss.value().item()));
    CHECK(std::isfinite(gradient_norm(program.trained)));
  }
}
