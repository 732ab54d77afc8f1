#include "diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gradual/core/error.hpp>

using namespace gradual;

namespace {

// A tensor of the case's expected result, and the student's, where both are there.
struct Pair {
  const Tensor *yours, *expected, *input;
};
std::optional<Pair> pair_of(const Case& c, std::size_t place) {
  if (!c.yours || c.expected.tensors.size() <= place || c.inputs.tensors.empty()) return std::nullopt;
  const auto& [name, expected] = c.expected.tensors[place];
  const Tensor* yours = c.yours->find(name);
  if (!yours || yours->size() == 0) return std::nullopt;
  return Pair{yours, &expected, &c.inputs.tensors.front().second};
}

// Of a result of several tensors whether this one is as it should be.
bool is_right_in(const Case& c, std::size_t place) {
  if (c.is_right) return true;
  if (!c.yours || c.expected.tensors.size() <= place) return false;
  const std::string& name = c.expected.tensors[place].first;
  const Tensor* yours = c.yours->find(name);
  if (!yours) return false;
  return agree({{{name, *yours}}, {}, {}}, {{c.expected.tensors[place]}, {}, {}}, c.inputs);
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

// Of tensors of rank 3 and more: all of the first sentence, and of later ones no longer all.
bool first_sentence_alone_is_right(const Pair& p) {
  if (p.expected->rank() < 3 || p.expected->dim(0) < 2 || p.expected->size() == 0) return false;
  const Index size = p.expected->size() / p.expected->dim(0);
  return std::equal(p.yours->begin(), p.yours->begin() + size, p.expected->begin(),
                    [](Real a, Real b) { return near(double(a), double(b)); });
}

// Whether each row is the expected one times a factor, and if so, whether a row has numbers enough to show
// it.
std::optional<bool> rows_have_factors(const Pair& p) {
  const Index width = p.expected->dim(-1);
  if (p.yours->shape() != p.expected->shape() || width == 0) return std::nullopt;
  bool is_shown = false;
  for (Index first = 0; first < p.expected->size(); first += width) {
    const Real *a = p.yours->data() + first, *b = p.expected->data() + first;
    const auto is_smaller = [](Real x, Real y) { return std::abs(x) < std::abs(y); };
    const Index largest = std::max_element(b, b + width, is_smaller) - b;
    const double base = double(b[largest]);
    const double factor = std::abs(base) < 1e-3 ? 1 : double(a[largest]) / base;
    for (Index i = 0; i < width; ++i)
      if (!near(double(a[i]), factor * double(b[i]))) return std::nullopt;
    const auto several = std::count_if(b, b + width, [](Real x) { return std::abs(x) >= Real(1e-3); }) > 1;
    is_shown = is_shown || (several && !near(factor, 1));
  }
  return is_shown;
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
  if (first_sentence_alone_is_right(p))
    return "What is first on the first axis is right and what follows is not: where does the next one begin?";
  if (first_row_alone_is_right(p))
    return "The first row is right and later ones are not: where does a row begin?";
  return "";
}

std::string common_trait(const std::vector<Pair>& failures) {
  std::optional<std::string> common;
  for (const Pair& pair : failures) {
    const std::string trait = trait_of(pair);
    // A row alone cannot be compared with a first one; shapes differ from case to case.
    if (trait.empty() && pair.expected->size() == pair.expected->dim(-1)) continue;
    const auto both_begin_with = [&](const char* words) {
      return common->rfind(words, 0) == 0 && trait.rfind(words, 0) == 0;
    };
    if (!common)
      common = trait;
    else if (*common == trait || trait.rfind("The result has another shape", 0) == 0)
      continue;
    else if (both_begin_with("All numbers are off by one factor"))
      common =
          "All numbers are off by one factor, which is another from case to case: what does it depend on?";
    else
      return "";
  }
  return common.value_or("");
}

std::string common_trait(const std::vector<Case>& cases, std::size_t place) {
  std::vector<Pair> failures;
  for (const Case& c : cases) {
    if (is_right_in(c, place)) continue;
    const auto pair = pair_of(c, place);
    if (!pair) return "";
    failures.push_back(*pair);
  }
  const std::string trait = common_trait(failures);
  if (!trait.empty()) return trait;
  bool is_shown = false;
  for (const Pair& pair : failures) {
    const auto rows = rows_have_factors(pair);
    if (!rows) return "";
    is_shown = is_shown || *rows;
  }
  return is_shown ? "Each row is off by a factor of its own." : "";
}

}  // namespace

std::string common_trait(const std::vector<Case>& cases) {
  // The first tensor of the result that is ever wrong, and those that never are.
  const std::size_t count = cases.empty() ? 0 : cases.front().expected.tensors.size();
  std::optional<std::size_t> wrong;
  std::string right;
  for (std::size_t place = 0; place < count; ++place) {
    const std::string& name = cases.front().expected.tensors[place].first;
    if (!std::all_of(cases.begin(), cases.end(), [&](const Case& c) { return is_right_in(c, place); }))
      wrong = wrong.value_or(place);
    else
      right += (right.empty() ? "" : ", ") + name;
  }
  if (!wrong) return "";
  const std::string trait = common_trait(cases, *wrong);
  if (right.empty()) return trait;
  return "Right: " + right + "; wrong: " + cases.front().expected.tensors[*wrong].first + "." +
         (trait.empty() ? "" : " " + trait);
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

int nearest_mistake(const std::vector<std::vector<std::optional<Values>>>& outcomes,
                    const std::vector<Case>& cases) {
  std::size_t most = 1, failures = 0;
  int nearest = -1;
  for (const Case& c : cases) failures += c.is_right ? 0 : 1;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (outcomes[k].size() != cases.size()) continue;
    std::size_t explained = 0;
    bool may_be = true, is_first = true;
    for (std::size_t i = 0; i < cases.size() && may_be; ++i) {
      const bool is_same =
          outcomes[k][i] && cases[i].yours && agree(*cases[i].yours, *outcomes[k][i], cases[i].inputs);
      const bool is_error = is_same && cases[i].yours->metadata.count("error") != 0;  // of any kind
      explained += is_same && !is_error && !cases[i].is_right ? 1 : 0;
      may_be = is_same || !(cases[i].is_right || is_first);
      is_first = is_first && cases[i].is_right;
    }
    if (!may_be || 2 * explained < failures || explained < most) continue;
    nearest = explained > most ? static_cast<int>(k) : -1;  // two that explain as much say nothing
    most = explained;
  }
  return nearest;
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
    const int same = matching_mistake(outcomes, verdict.cases);
    const int found = same >= 0 ? same : nearest_mistake(outcomes, verdict.cases);
    if (found < 0) return;
    const Mistake& mistake = mistakes[static_cast<std::size_t>(found)];
    const auto& as_mistaken = outcomes[static_cast<std::size_t>(found)];
    std::size_t count = 0;
    for (std::size_t i = 0; i < verdict.cases.size(); ++i) {
      const Case& c = verdict.cases[i];
      count += as_mistaken[i] && agree(*c.yours, *as_mistaken[i], c.inputs) ? 1 : 0;
    }
    verdict.diagnosis = mistake.sentence;
    verdict.evidence = text("Yours equals \"", mistake.name, "\" in ", count, " of ", verdict.cases.size(),
                            " cases", same >= 0 ? "." : "; in the others something else is wrong, too.");
  } catch (const std::exception& error) {  // a list that is out of order is no fault of the student's
    const std::string problem = error.what();
    verdict.evidence =
        "(What is often misunderstood here could not be looked up: " + problem.substr(0, problem.find('\n')) +
        ")";
  }
}
