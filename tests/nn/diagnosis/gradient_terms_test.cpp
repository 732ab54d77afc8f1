#include <gradual/nn/diagnosis/gradient_terms.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/autograd/operations.hpp>

#include "nn/diagnosis/tiny_models.hpp"
#include "support/catch.hpp"
#include "support/recomputed.hpp"

using namespace gradual;

namespace {

// The terms of each step add up, and the last one is the loss.
void check_path(const GradientPath& path) {
  REQUIRE(path.steps.size() > 1);
  for (const GradientStep& step : path.steps) {
    INFO(step.name);
    if (step.terms.empty()) continue;
    CHECK(std::abs(step.sum() - step.gradient) <= 1e-4 * std::max(1.0, std::abs(step.terms[0].contribution)));
  }
  CHECK(path.steps.back().terms.empty());
  CHECK(path.steps.back().gradient == 1);
}

template <class Module>
void check_module_paths(Module model) {
  const EvaluationScope evaluation;
  const auto loss = [&] { return tiny::loss_of(model); };
  const auto all = parameters(model);
  zero_gradients(all);
  backward(loss());
  for (const std::size_t i : {std::size_t(0), all.size() / 2, all.size() - 1}) {
    const auto [parameter, place] = largest_gradient({all[i]});
    INFO(parameter.name);
    const std::vector<Real> before = parameter.variable.grad().to_vector();
    const GradientPath path = explain_gradient(loss, parameter.variable, place);
    CHECK(std::abs(path.steps[0].gradient) ==
          std::abs(*std::max_element(before.begin(), before.end(),
                                     [](Real a, Real b) { return std::abs(a) < std::abs(b); })));
    CHECK(parameter.variable.grad().to_vector() == before);
    check_path(path);
  }
}

}  // namespace

TEST_CASE("gradient terms: of x·x + 3·x, by hand") {
  const Var x = Var::parameter(Tensor({2}, {2, 5})).named("x");
  const auto loss = [&] {
    const Var square = x * x;
    return sum(square + 3 * x);
  };
  const GradientPath path = explain_gradient(loss, x, {0});
  REQUIRE(path.steps.size() == 4);  // x, a product, the sum of both, the loss
  const GradientStep& first = path.steps[0];
  CHECK(first.name == "x");
  CHECK(first.value == 2);
  CHECK(first.gradient == 7);  // 2·2 + 3
  REQUIRE(first.terms.size() == 3);
  CHECK(first.terms[0].contribution == 3);
  CHECK(first.terms[0].slope == 3);
  CHECK(first.terms[0].dy == 1);
  CHECK(first.terms[0].result == 6);
  CHECK(first.terms[1].contribution == 2);  // x·x twice: by its left and its right
  CHECK(first.terms[2].contribution == 2);
  CHECK(first.terms[1].name == "mul (operation 1, [2], in x)");
  CHECK(first.terms[1].place == std::vector<Index>{0});
  CHECK(path.steps[3].value == 50);
  CHECK(path.text().find("x at [0] = 2, gradient 7: the sum of 3 terms\n"
                         "           3 = 3 · 1  by mul (operation 2, [2], in x) at [0]\n") == 0);
}

TEST_CASE("gradient terms: a term is a slope times what comes back, by the operations in their order") {
  const Var x = Var::parameter(Tensor({2, 3}, {1, 2, 3, 4, 5, 6})).named("x");
  const auto loss = [&] { return sum(x * Real(3) * Real(2)) + sum(x * Real(6)); };
  const GradientPath path = explain_gradient(loss, x, {1, 2});
  const GradientStep& first = path.steps[0];
  CHECK(first.value == 6);
  CHECK(first.gradient == 12);
  REQUIRE(first.terms.size() == 2);
  CHECK(first.terms[0].operation != first.terms[1].operation);  // both are 6
  for (const GradientTerm& term : first.terms) {
    CHECK(term.contribution == 6);
    CHECK(term.slope * term.dy == 6);
    CHECK(term.place == std::vector<Index>{1, 2});
    CHECK_THAT(term.name, Contains("(operation " + std::to_string(term.operation) + ","));
  }
  CHECK(std::max(first.terms[0].dy, first.terms[1].dy) == 2);
  GradientTermOptions least;
  least.terms = least.steps = 1;
  const GradientPath one = explain_gradient(loss, x, {0, 0}, least);
  REQUIRE(one.steps.size() == 1);
  CHECK(one.steps[0].terms.size() == 1);
  CHECK(one.steps[0].others == 1);
  CHECK(one.steps[0].sum_of_others == 6);
  CHECK(one.text() == "x at [0, 0] = 1, gradient 12: the sum of 2 terms\n           6 = " +
                          std::string(one.steps[0].terms[0].dy == 2 ? "3 · 2" : "6 · 1") + "  by " +
                          one.steps[0].terms[0].name + " at [0, 0]\n           6  by 1 others\n");
  for (const auto& [terms, steps] : {std::pair<Index, Index>{0, 1}, {1, 0}}) {
    least.terms = terms;
    least.steps = steps;
    CHECK_THROWS_AS(explain_gradient(loss, x, {0, 0}, least), std::invalid_argument);
  }
}

TEST_CASE("gradient terms: places of the largest gradient, and places that are none") {
  const Var x = Var::parameter(Tensor({2, 3}, {1, 2, 3, 4, 5, 6})), y = Var::parameter(Tensor({2}, {1, 1}));
  x.node()->grad = Tensor({2, 3}, {0, 1, -4, 4, HUGE_VALF, 2});
  y.node()->grad = Tensor({2}, {4, -5});
  const ParameterPlace of_both = largest_gradient({{"x", x}, {"y", y}}),
                       of_one = largest_gradient({{"x", x}});
  CHECK(of_both.parameter.name == "y");
  CHECK(of_both.place == std::vector<Index>{1});
  CHECK(of_one.place == std::vector<Index>{0, 2});  // the first that is as large
  const auto loss = [&] { return sum(x * x); };
  for (const std::vector<Index>& place : {std::vector<Index>{-1, 0}, {2, 0}, {0, 3}, {0, -1}, {0}})
    CHECK_THROWS_AS(explain_gradient(loss, x, place), std::invalid_argument);
  CHECK(explain_gradient(loss, x, {1, 0}).steps[0].value == 4);
}

TEST_CASE("gradient terms: in a picture, a bar is as wide as its share of all terms") {
  GradientPath path;
  const GradientTerm plus{1, "a", {}, 0, 3, 1, 3}, minus{2, "b", {}, 0, -1, 1, -1};
  path.steps = {{"x", {}, 1, 6, {plus, minus}, 2, 4}, {"y", {}, 1, 1, {}}};
  const std::string picture = draw_gradient(path);
  // 3, 1 and 4 of 8, on 720 - 2·12 = 696; each a unit less.
  CHECK_THAT(picture, Contains("x=\"12\" y=\"22\" width=\"260\"") &&
                          Contains("x=\"273\" y=\"22\" width=\"86\"") &&
                          Contains("x=\"360\" y=\"22\" width=\"347\""));
  CHECK_THAT(picture, Contains("fill=\"var(--g-0)\"") && Contains("fill=\"var(--g-1)\"") &&
                          Contains("height=\"100\""));
  CHECK_THAT(picture, Contains("y = 1, gradient 1: the loss itself"));
  path.steps[0].terms.resize(1);
  path.steps[0].others = 0;
  CHECK_THAT(path.text(), Contains("x = 1, gradient 6: one term\n") && !Contains("others"));
}

TEST_CASE("gradient terms: the smaller ones are counted together, and large ones that cancel are found") {
  const Var x = Var::parameter(Tensor({1}, {1})).named("x");
  const Tensor slopes({6}, {8, -8, 1, 2, -3, 0});
  GradientTermOptions options;
  options.terms = 2;
  const GradientStep step = explain_gradient([&] { return sum(x * slopes); }, x, {0}, options).steps[0];
  CHECK(step.gradient == 0);
  REQUIRE(step.terms.size() == 2);
  CHECK(std::abs(step.terms[0].contribution) == 8);
  CHECK(step.terms[0].contribution + step.terms[1].contribution == 0);
  CHECK(step.others == 3);  // what is 0 is no term
  CHECK(step.sum_of_others == 0);
}

TEST_CASE("gradient terms: of a transformer, a recurrent model, a language model and a classifier") {
  check_module_paths(Transformer(tiny::transformer(), Random(1)));
  check_module_paths(RecurrentTranslator(tiny::recurrent(), Random(1)));
  check_module_paths(LanguageModel(tiny::stack(1), Random(1)));
  check_module_paths(Classifier(tiny::stack(1), 3, Pooling::attention, Random(1)));
}

TEST_CASE("gradient terms: as a picture and a page") {
  const Var x = Var::parameter(Tensor({2}, {2, 5})).named("<x>");
  const GradientPath path = explain_gradient([&] { return sum(x * x) - 30 * sum(x); }, x, {1});
  CHECK_THAT(draw_gradient(path), Contains("&lt;x&gt; at [1] = 5, gradient -20: the sum of 3 terms"));
  const std::string page = gradient_page(path);
  CHECK_THAT(page,
             Contains("&lt;x&gt;") && Contains("mul (operation ") && Contains(" at [1]") && Contains("<svg"));
  CHECK_THAT(page, !Contains("<x>"));
}

TEST_CASE("gradient terms: what has no terms is refused") {
  const Var x = Var::parameter(Tensor({2}, {2, 0})).named("x"), other = Var::parameter(Tensor({1}, {1}));
  const auto loss = [&] { return sum(sqrt(x)); };
  CHECK_THROWS_WITH(explain_gradient(loss, x, {2}),
                    Contains("the place must lie in the variable: [2] in [2]"));
  CHECK_THROWS_WITH(explain_gradient(loss, x, {0, 0}), Contains("[0, 0] in [2]"));
  CHECK_THROWS_WITH(explain_gradient(loss, x, {1}), Contains("must be finite") && Contains("inf"));
  CHECK_THROWS_WITH(explain_gradient(loss, other, {0}), Contains("the loss must depend on the parameter"));
  CHECK_THROWS_WITH(explain_gradient([&] { return Var(Tensor::scalar(1)); }, x, {0}),
                    Contains("must depend on"));
  CHECK_THROWS_WITH(explain_gradient([&] { return sqrt(x); }, x, {0}),
                    "gradient terms: the loss must be one number: it is [2]");
  CHECK_THROWS_WITH(explain_gradient([] { return Var(); }, x, {0}),
                    "gradient terms: the loss must be one number: it is not defined");
  CHECK_THROWS_AS(explain_gradient(loss, Var(Tensor({1}, {1})), {0}), std::invalid_argument);
  CHECK_THROWS_AS(explain_gradient(loss, Var(), {0}), std::invalid_argument);
  GradientTermOptions none;
  none.steps = 0;
  CHECK_THROWS_AS(explain_gradient(loss, x, {0}, none), std::invalid_argument);
  CHECK_FALSE(x.grad().defined());
  CHECK_THROWS_AS(largest_gradient({{"x", x}}), std::logic_error);
}

TEST_CASE(
    "gradient terms: a parameter inside a block that is computed again is named, and keeps its gradient") {
  const Var x = Var::parameter(Tensor({1}, {2})).named("x"), w = Var::parameter(Tensor({1}, {3})).named("w");
  const auto loss = [&] { return sum(recomputed([&](const Var& in) { return in * w; }, x)); };
  backward(w * 5);
  CHECK(explain_gradient(loss, x, {0}).steps.front().gradient == 3);
  CHECK_THROWS_WITH(explain_gradient(loss, w, {0}),
                    "gradient terms: a path must lie outside of rules: that to the parameter \"w\" of shape "
                    "[1] leads through a backward() that a rule calls");
  CHECK_THROWS_WITH(explain_gradient([&] { return sum(x * x); }, w, {0}),
                    Contains("the loss must depend on"));
  CHECK(w.grad().item() == 5);
}
