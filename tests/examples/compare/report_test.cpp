// What `compare` says of its figures.
#include "../../../examples/compare/report.hpp"

#include "support/catch.hpp"

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// A report of 300 sentences, of which each way got so many per cent right.
struct Reported {
  explicit Reported(const std::vector<std::pair<std::string, double>>& shares) {
    for (const auto& [name, exact] : shares) {
      Outcome way{name, "", 1, 1};
      way.exact = exact;
      report.add(way);
    }
  }

  const Task task{{}, std::vector<gradual::AlignedPair>(300)};
  const ContestSettings contest;
  const LengthSettings lengths;
  Report report{task, contest, lengths};
};

}  // namespace

TEST_CASE("compare: why ways without scores fall behind is said where they do, and only there") {
  const std::string both =
      Reported({{"none: mean", 20}, {"none: recurrent", 0}, {"recurrent, additive", 60}, {"multi-head", 80}})
          .report.scoreless_finding();
  CHECK(count(both, "every word counts alike") == 1);
  CHECK(count(both, "which of them is next: 20.0 %.") == 1);
  CHECK(
      count(both,
            "which 400 steps do not teach it: 0.0 %. Once it may look back at the words, it gets 60.0 %.") ==
      1);
  CHECK(
      Reported({{"none: mean", 70}, {"none: recurrent", 75}, {"recurrent, additive", 80}, {"multi-head", 80}})
          .report.scoreless_finding()
          .empty());
  CHECK(Reported({}).report.scoreless_finding().empty());
}

// Two standard errors of the difference of 80 % and 77 % of 300 are 6.7 points, of 80 % and 60 % 7.3.
TEST_CASE("compare: one line tells which ways lead, once any gets one right") {
  CHECK(
      Reported({{"dot", 60}, {"recurrent, additive", 80}, {"additive", 77}}).report.contest_summary() ==
      "In short: recurrent, additive (80.0 %), additive (77.0 %) lead; 300 sentences do not tell them apart. "
      "That allows only for which sentences were drawn: each way was trained once, and another seed would "
      "move the figures, too.");
  CHECK(Reported({{"dot", 60}, {"multi-head", 80}}).report.contest_summary() ==
        "In short: multi-head (80.0 %) is ahead.");
  CHECK(Reported({{"dot", 0}, {"multi-head", 0}}).report.contest_summary() ==
        "Nothing comes out exactly right yet: give it more --steps.");
  CHECK(Reported({}).report.contest_summary().empty());
}

TEST_CASE("compare: dot is said to be sure before it knows anything only where it often is") {
  Reported tried({{"dot", 0}, {"scaled dot", 70}});
  CHECK(count(tried.report.division_finding(), "sure before it knows") == 0);
  tried.report.ways.front().sure_before = 0.35;
  CHECK(count(tried.report.division_finding(), "it is often sure before it knows anything. More than 95 %") ==
        1);
}

TEST_CASE("compare: why alibi is ahead in longer sequences is said where it is, and there only") {
  const auto reason = [](const std::string& best) {
    Reported tried({});
    for (const std::string kind : {"relative", "alibi"}) {
      LengthOutcome outcome;
      outcome.positions = kind;
      outcome.accuracies.assign(tried.lengths.lengths.size(), kind == best ? 99 : 60);
      tried.report.add(outcome);
    }
    return tried.report.length_reason();
  };
  CHECK(count(reason("alibi"),
              "Relative has one number for all distances from 16 on, which training on such a "
              "length leaves as it was: it cannot tell far from farther.") == 1);
  CHECK(reason("relative") ==
        "A guess is one of all the values that the name has had, without knowing which came last.");
}

TEST_CASE("compare: bars are in colour where they are within chance of the best, and the page says so") {
  const std::string page = Reported({{"dot", 60}, {"multi-head", 80}, {"additive", 77}}).report.page();
  CHECK(count(page, "<li class=\"best\"") == 2);
  CHECK(count(page, "in colour, the best and all that are within chance of it") == 1);
  const std::string one = Reported({{"dot", 60}, {"multi-head", 80}}).report.page();
  CHECK(count(one, "<li class=\"best\"") == 1);
  CHECK(count(one, "in colour, the best<") == 1);
  const std::string none = Reported({{"dot", 0}, {"multi-head", 0}}).report.page();
  CHECK(count(none, "<li class=\"best\"") == 0);
  CHECK(count(none, "; in colour") == 0);
}
