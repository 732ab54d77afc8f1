// What `positions` says of its figures.
#include "../../../examples/positions/report.hpp"

#include "support/catch.hpp"

namespace {

// A report in which the one kind is right 99 times of a hundred at all lengths, and the others as often as
// given.
struct PositionsTried {
  explicit PositionsTried(const std::string& best, double others = 60) {
    for (const std::string kind : {"relative", "alibi"}) {
      LengthOutcome outcome;
      outcome.positions = kind;
      outcome.accuracies.assign(settings.lengths.size(), kind == best ? 99 : others);
      report.add(outcome);
    }
  }

  const LengthSettings settings;
  PositionReport report{settings};
};

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("positions: why alibi is ahead in longer sequences is said where it is, and there only") {
  CHECK(says(
      PositionsTried("alibi").report.reason(),
      "Relative has one number for all distances from 16 on, which training on such a length leaves as it "
      "was: it cannot tell far from farther."));
  CHECK(PositionsTried("relative").report.reason().empty());
}

TEST_CASE("positions: who is down to a guess at the greatest length is said, and where nobody is better") {
  CHECK(says(PositionsTried("alibi", 20).report.summary(),
             "at length 256 alibi is right most often, and hardly better than a guess are relative."));
  CHECK(says(PositionsTried("relative").report.summary(),
             "relative is right most often, and no kind is down to"));
  CHECK(
      says(PositionsTried("", 20).report.summary(), "no kind is better than a guess: give it more --steps."));
  CHECK(PositionReport(LengthSettings{}).summary().empty());
}
