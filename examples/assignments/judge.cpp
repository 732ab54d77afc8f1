#include "judge.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>

#include "diagnosis.hpp"
#include "within_budget.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

constexpr double tolerance = 1e-5;
constexpr int seconds_to_answer = 2;
constexpr int most_starts = 3;

bool agree(Real a, Real b, double rounding) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;  // infinities too
  return std::abs(double(a) - double(b)) <= tolerance * std::max(1.0, std::abs(double(b))) + rounding;
}

// What right ways may differ by where large numbers cancel: x - (max + log sum) beside (x - max) - log sum.
// Numbers beyond a thousand are there to be refused or to hide others, not to be computed with.
double rounding_of(const Values& inputs) {
  double largest = 0;
  for (const auto& [name, numbers] : inputs.tensors)
    for (const Real each : numbers)
      if (std::abs(each) <= 1000) largest = std::max(largest, std::abs(double(each)));
  return 2 * std::numeric_limits<Real>::epsilon() * largest;
}

Confinement for_probes(const std::string& program, const std::string& folder) {
  Confinement c;
  c.seconds = seconds_to_answer;
  c.readable = {fs::path(program).parent_path().string()};
  c.writable = folder;
  return c;
}

// What a process wrote is read as a stranger's: it may be anything, or a link to something else.
std::optional<Values> read_answer(const std::string& path) {
  try {
    if (!fs::is_regular_file(fs::symlink_status(path))) return std::nullopt;
    return load_tensors(path);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void run_cases(const std::string& program, Verdict& verdict) {
  Answers given = answers_of(program, verdict.part, verdict.cases);
  verdict.layers = given.layers;
  verdict.problem = given.problem;
  verdict.cases.resize(given.answers.size());
  for (std::size_t i = 0; i < verdict.cases.size(); ++i) {
    Case& each = verdict.cases[i];
    each.yours = std::move(given.answers[i]);
    each.is_right = each.yours && ::agree(*each.yours, each.expected, each.inputs);
  }
}

}  // namespace

const Case* Verdict::smallest_failure() const {
  const auto found = std::find_if(cases.begin(), cases.end(), [](const Case& c) { return !c.is_right; });
  return found == cases.end() ? nullptr : &*found;
}

std::vector<Case> draw_cases(const Exercise& exercise, std::uint64_t seed, std::uint64_t other_seed) {
  std::vector<Case> cases;
  for (Index size = 0; size < exercise.sizes; ++size) {
    for (const std::uint64_t each : {seed, other_seed}) {
      Case made;
      made.inputs = exercise.inputs(Random(each + static_cast<std::uint64_t>(size)).split(), size);
      made.expected = outcome_of(exercise, made.inputs);
      cases.push_back(std::move(made));
    }
  }
  return cases;
}

bool agree(const Values& a, const Values& b, const Values& inputs) {
  const double rounding = rounding_of(inputs);
  if (a.metadata.count("error") != 0 || b.metadata.count("error") != 0)
    return a.metadata.count("error") == b.metadata.count("error");
  if (a.tensors.size() != b.tensors.size()) return false;
  for (const auto& [name, numbers] : b.tensors) {
    const Tensor* other = a.find(name);
    if (!other || other->shape() != numbers.shape()) return false;
    for (Index i = 0; i < numbers.size(); ++i)
      if (!agree(other->data()[i], numbers.data()[i], rounding)) return false;
  }
  return true;
}

// The cases run in one process, and those after one that ended it in another. What follows on one without
// end is not run.
Answers answers_of(const std::string& program, const Part& part, const std::vector<Case>& cases,
                   std::size_t mistakes, std::size_t first_mistake) {
  const ScratchFolder scratch(ScratchFolder::Place::memory);
  const std::size_t count = mistakes * cases.size(), first = first_mistake * cases.size();
  const auto name_of = [&](std::size_t i, const char* kind) {
    return scratch.path() + "/" + std::to_string(i) + kind;
  };
  for (std::size_t i = 0; i < cases.size(); ++i) save_tensors(name_of(i, ".in"), cases[i].inputs);
  Confinement confinement = for_probes(program, scratch.path());
  confinement.seconds *= static_cast<int>(mistakes);
  Answers result;
  auto& answers = result.answers;
  for (int start = 0; start < most_starts && answers.size() < count; ++start) {
    const Outcome outcome =
        run_confined({program, part.number(), scratch.path(), std::to_string(cases.size()),
                      std::to_string(first + answers.size()), std::to_string(first + count)},
                     confinement);
    result.layers = outcome.layers;
    while (answers.size() < count && fs::exists(fs::symlink_status(name_of(first + answers.size(), ".out"))))
      answers.push_back(read_answer(name_of(first + answers.size(), ".out")));
    if (answers.size() == count) break;
    answers.emplace_back();
    if (result.problem.empty()) {
      const std::string how = outcome.problem();
      result.problem = "It " + (how.empty() ? "ended before it had an answer." : how);
    }
    if (outcome.had_no_end()) break;
  }
  constexpr std::uintmax_t least = 1 << 20;
  if (!result.problem.empty() && fs::space(scratch.path()).available < least)
    throw FileError(scratch.path(), "there is no space left for answers");
  return result;
}

Verdict judge(const Workshop& workshop, const std::vector<Assignment>& assignments, const Part& part,
              const std::string& text, std::uint64_t seed, std::uint64_t other_seed) {
  const auto begin = std::chrono::steady_clock::now();
  const auto since = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const SignalsNoted noted;
  Verdict verdict;
  if (part.goal) {
    verdict = judge_training(workshop, part, text, seed);
    verdict.file = text;
    verdict.seconds = since();
    noted.check();
    return verdict;
  }
  verdict.part = part;
  verdict.file = text;
  const ScratchFolder made;
  const Built built = build_probe(workshop, part, text, made.path());
  verdict.layers = built.layers;
  verdict.problem = built.message;
  verdict.warnings = built.warnings;
  switch (built.state) {
    case Built::State::undone:
      verdict.state = Verdict::State::undone;
      break;
    case Built::State::errors:
      verdict.state = Verdict::State::errors;
      break;
    case Built::State::refused:
      verdict.state = Verdict::State::refused;
      break;
    case Built::State::program:
      verdict.cases = draw_cases(exercise(part.number()), seed, other_seed);
      run_cases(built.program, verdict);
      verdict.state = verdict.smallest_failure() ? Verdict::State::wrong : Verdict::State::right;
      if (verdict.state == Verdict::State::wrong)
        diagnose(workshop, assignment_of(assignments, part), verdict);
  }
  noted.check();
  verdict.seconds = since();
  return verdict;
}
