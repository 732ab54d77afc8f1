#include <gradual/nn/translation/budget.hpp>

#include <memory>
#include <string>
#include <vector>

#include <gradual/core/products/products.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

SplitText some_text() {
  std::vector<SentencePair> pairs;
  for (int i = 0; i < 40; ++i)
    pairs.push_back({"one two " + std::to_string(i), "un deux " + std::to_string(i)});
  return {std::make_unique<ListStream<SentencePair>>(pairs), {}};
}

// For so little time that one model is tried.
PlanOptions in_no_time() {
  PlanOptions options;
  options.seconds = 1e-6;
  return options;
}

struct Counted final : Adam {
  Counted(const std::vector<NamedParameter>& parameters, int& steps) : Adam(parameters), made(steps) {}
  void step(double rate, double scale) override {
    ++made;
    Adam::step(rate, scale);
  }
  int& made;
};

}  // namespace

TEST_CASE("budget: the steps that are timed have the two passes of R-Drop", "[long]") {
  const auto products = [](const PlanOptions& options) {
    SplitText text = some_text();
    const std::int64_t before = flop_count();
    plan_for(text, options);
    return flop_count() - before;
  };
  PlanOptions options = in_no_time();
  const std::int64_t one = products(options);
  options.r_drop = 1;
  CHECK(products(options) == 2 * one);
}

TEST_CASE("budget: the steps that are timed are made by the optimizer that training has", "[long]") {
  int steps = 0;
  PlanOptions options = in_no_time();
  options.optimizer = [&](const std::vector<NamedParameter>& all) {
    return std::make_unique<Counted>(all, steps);
  };
  SplitText text = some_text();
  plan_for(text, options);
  CHECK(steps == 6);
}
