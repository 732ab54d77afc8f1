// Gradients of each score, with respect to queries, keys and weights.
#include <gradual/nn/attention/scores/score.hpp>

#include "support/modules.hpp"
#include "support/operations.hpp"

using namespace gradual;

namespace {

bool compares(const std::string& name, Index query_width, Index key_width) {
  try {
    make_score(name, {query_width, key_width}, Random(1));
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

TEST_CASE("scores: gradients match finite differences, for each score") {
  for (const std::string& name : score_names()) {
    INFO(name);
    const Index key_width = compares(name, 3, 2) ? 2 : 3;
    const auto score = make_score(name, {3, key_width, 4, 6}, Random(7));
    const Var queries = random_variable({2, 3, 3}, 1), keys = random_variable({2, 4, key_width}, 2);
    NamedInputs inputs{{"queries", queries}};
    if (name != "location") inputs.push_back({"keys", keys});
    check_module(*score, inputs, [&] { return (*score)(queries, keys); });
  }
}

TEST_CASE("location score: no gradient reaches the keys, which play no part") {
  const auto score = make_score("location", {3, 2}, Random(7));
  const Var keys = random_variable({2, 4, 2}, 2);
  backward(sum((*score)(random_variable({2, 3, 3}, 1), keys)));
  CHECK_FALSE(keys.grad().defined());
}

TEST_CASE("additive_scores: gradients match finite differences") {
  check_operation([](const auto& x) { return additive_scores(x[0], x[1], x[2]); },
                  {random_tensor({2, 3, 4}, 1), random_tensor({2, 2, 4}, 2), random_tensor({4}, 3)});
}
