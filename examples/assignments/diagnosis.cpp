#include "diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gradual/core/error.hpp>

using namespace gradual;

namespace {

// The first tensor of the case's expected result, and the student's, where both are there with one shape.
struct Pair {
  const Tensor *yours, *expected, *input;
};
std::optional<Pair> pair_of(const Case& c) {
  if (!c.yours || c.expected.tensors.empty() || c.inputs.tensors.empty()) return std::nullopt;
  const auto& [name, expected] = c.expected.tensors.front();
  const Tensor* yours = c.yours->find(name);
  if (!yours || yours->size() == 0) return std::nullopt;
  return Pair{yours, &expected, &c.inputs.tensors.front().second};
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-4 * std::max(1.0, std::abs(b)); }

bool same_numbers(const Tensor& a, const Tensor& b, double factor) {
  for (Index i = 0; i < a.size(); ++i)
    if (!near(double(a.data()[i]), factor * double(b.data()[i]))) return false;
  return true;
}

bool is_all(const Tensor& x, const std::function<bool(Real)>& holds) {
  return std::all_of(x.begin(), x.end(), holds);
}

std::string shape_trait(const Pair& p) {
  return p.yours->shape() == p.expected->shape()
             ? ""
             : text("The result has another shape: yours is ", p.yours->shape(), ", expected is ",
                    p.expected->shape(), ".");
}

// The factor between the two, where there is one for all numbers.
std::optional<double> factor_of(const Pair& p) {
  Index largest = 0;
  for (Index i = 0; i < p.expected->size(); ++i)
    if (std::abs(p.expected->data()[i]) > std::abs(p.expected->data()[largest])) largest = i;
  const double base = double(p.expected->data()[largest]);
  if (!std::isfinite(base) || std::abs(base) < 1e-3) return std::nullopt;
  const double factor = double(p.yours->data()[largest]) / base;
  return same_numbers(*p.yours, *p.expected, factor) ? std::optional(factor) : std::nullopt;
}

bool first_row_alone_is_right(const Pair& p) {
  const Index width = p.expected->dim(-1);
  if (p.expected->size() <= width || width == 0) return false;
  return std::equal(p.yours->begin(), p.yours->begin() + width, p.expected->begin(),
                    [](Real a, Real b) { return near(double(a), double(b)); });
}

bool is_transposed(const Pair& p) {
  if (p.expected->rank() < 2) return false;
  const Index columns = p.expected->dim(-1), rows = p.expected->dim(-2);
  if (rows < 2 || columns < 2 || p.yours->size() != p.expected->size()) return false;
  for (Index i = 0; i < p.expected->size(); ++i) {
    const Index block = i / (rows * columns), r = i / columns % rows, c = i % columns;
    if (!near(double(p.yours->data()[block * rows * columns + c * rows + r]), double(p.expected->data()[i])))
      return false;
  }
  return true;
}

// A trait that one failure has, as a sentence; "" where none is seen.
std::string trait_of(const Pair& p) {
  if (is_transposed(p)) return "Rows and columns are exchanged.";
  const std::string shape = shape_trait(p);
  if (!shape.empty()) return shape;
  if (is_all(*p.yours, [](Real v) { return v == 0; })) return "All numbers are 0.";
  if (std::any_of(p.yours->begin(), p.yours->end(), [](Real v) { return std::isnan(v); }) &&
      is_all(*p.expected, [](Real v) { return !std::isnan(v); }))
    return "Some numbers are not numbers (NaN), as 0/0 or ∞ − ∞ are.";
  if (const auto factor = factor_of(p)) {
    if (near(*factor, 1)) return "";  // nearly right, and nothing to be said of how
    if (near(*factor, -1)) return "All signs are the wrong way round.";
    return text("All numbers are off by one factor: ", *factor, ".");
  }
  if (p.yours->size() == p.input->size() && same_numbers(*p.yours, *p.input, 1))
    return "The result is the input, unchanged.";
  if (first_row_alone_is_right(p))
    return "The first row is right and later ones are not: where does a row begin?";
  return "";
}

}  // namespace

std::string common_trait(const std::vector<Case>& cases) {
  std::optional<std::string> common;
  for (const Case& c : cases) {
    if (c.is_right) continue;
    const auto pair = pair_of(c);
    if (!pair) return "";
    const std::string trait = trait_of(*pair);
    // A row alone cannot be compared with a first one; shapes differ from case to case.
    if (trait.empty() &&
        c.expected.tensors.front().second.size() == c.expected.tensors.front().second.dim(-1))
      continue;
    if (common && *common != trait && trait.rfind("The result has another shape", 0) != 0) return "";
    if (!common) common = trait;
  }
  return common.value_or("");
}

std::vector<std::vector<std::optional<Values>>> outcomes_of_mistakes(const Workshop& workshop,
                                                                     const Assignment& assignment,
                                                                     const Part& part,
                                                                     const std::vector<Case>& cases) {
  const std::size_t mistakes = read_mistakes(assignment, part).size();
  const Answers given = answers_of(probe_of_mistakes(workshop, assignment, part), part, cases, mistakes);
  std::vector<std::vector<std::optional<Values>>> all(mistakes);
  for (std::size_t i = 0; i < given.answers.size(); ++i) all[i / cases.size()].push_back(given.answers[i]);
  return all;
}

int matching_mistake(const std::vector<std::vector<std::optional<Values>>>& outcomes,
                     const std::vector<Case>& cases) {
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    bool is_same = outcomes[k].size() == cases.size();
    for (std::size_t i = 0; i < cases.size() && is_same; ++i)
      is_same = outcomes[k][i] && cases[i].yours && agree(*cases[i].yours, *outcomes[k][i], cases[i].inputs);
    if (is_same) return static_cast<int>(k);
  }
  return -1;
}

void prepare_diagnosis(const Workshop& workshop, const Assignment& assignment, const Part& part) {
  if (part.goal) return;
  try {
    probe_of_mistakes(workshop, assignment, part);
  } catch (const std::exception&) {  // diagnose() says it beside the verdict
  }
}

void diagnose(const Workshop& workshop, const Assignment& assignment, Verdict& verdict) {
  const auto is_answered = [](const Case& c) { return c.yours.has_value(); };
  if (!std::all_of(verdict.cases.begin(), verdict.cases.end(), is_answered)) return;
  verdict.diagnosis = common_trait(verdict.cases);
  try {
    const std::vector<Mistake> mistakes = read_mistakes(assignment, verdict.part);
    const auto outcomes = outcomes_of_mistakes(workshop, assignment, verdict.part, verdict.cases);
    const int found = matching_mistake(outcomes, verdict.cases);
    if (found < 0) return;
    const Mistake& mistake = mistakes[static_cast<std::size_t>(found)];
    verdict.diagnosis = mistake.sentence;
    verdict.evidence = text("Yours equals \"", mistake.name, "\" in ", verdict.cases.size(), " of ",
                            verdict.cases.size(), " cases.");
  } catch (const std::exception& error) {  // a list that is out of order is no fault of the student's
    const std::string problem = error.what();
    verdict.evidence =
        "(What is often misunderstood here could not be looked up: " + problem.substr(0, problem.find('\n')) +
        ")";
  }
}
