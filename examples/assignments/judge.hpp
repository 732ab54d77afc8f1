// The judge: draws the inputs of a part's cases, knows from the library what is right, has the student's
// function run elsewhere, and compares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exercise.hpp"
#include "workshop.hpp"

struct Case {
  Values inputs, expected;
  std::optional<Values> yours;  // nothing: it ended before it had an answer
  bool is_right = false;
};

struct Verdict {
  enum class State { undone, errors, refused, wrong, right } state = State::errors;
  Part part;
  std::string file;         // the text that was judged
  std::vector<Case> cases;  // from the smallest; ends with the one that crashed or took too long
  std::string problem;      // what the compiler said, why it was refused, or how the process ended
  std::string diagnosis;    // what was misunderstood, where that is known
  std::string evidence;     // how that is known; of settings, what they reached
  std::string warnings;     // the first lines of what the compiler said of a file that it took
  std::string layers;       // of the sandbox, that were active
  double seconds = 0;

  int points() const { return state == State::right ? part.points : 0; }
  /// The first and so smallest case that is not right, or null.
  const Case* smallest_failure() const;
};

/// Judges the text of a file, which may be saved again meanwhile, on the cases that the seeds draw.
Verdict judge(const Workshop& workshop, const std::vector<Assignment>& assignments, const Part& part,
              const std::string& text, std::uint64_t seed, std::uint64_t other_seed);

/// The cases of a part with what is expected: every size of inputs twice, by the one seed and by the other.
std::vector<Case> draw_cases(const Exercise& exercise, std::uint64_t seed, std::uint64_t other_seed);

/// What a probe gives for the inputs of cases, run in the sandbox; ends where it ended and was not started
/// again. A probe of mistakes gives what the first of them makes of all cases, then the second, and so on; it
/// may begin with another than the first.
struct Answers {
  std::vector<std::optional<Values>> answers;
  std::string problem, layers;
};
Answers answers_of(const std::string& program, const Part& part, const std::vector<Case>& cases,
                   std::size_t mistakes = 1, std::size_t first_mistake = 0);

/// Whether two results of these inputs have the same names, shapes and numbers (to 1e-5 of the larger of 1
/// and the number, and two units in the last place of the largest input up to 1000), or are errors both.
bool agree(const Values& a, const Values& b, const Values& inputs);
