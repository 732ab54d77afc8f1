// What `positions` says of its figures.
#include "../../../examples/positions/report.hpp"

#include "support/catch.hpp"

namespace {

// A report in which the one kind is right 99 times of a hundred at all lengths, and the others as often as
// given.
struct PositionsTried {
  explicit PositionsTried(const std::string& best, double others = 60, const LengthSettings& of = {})
      : settings(of) {
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
  PositionsTried tried("alibi");
  CHECK(says(tried.report.reason(),
             "Relative has one number for all distances from 16 on, which learning at length 16 never "
             "touches: it is still "
             "0, whatever the distance. So it cannot tell far from farther. Alibi"));
  std::vector<double>& added = tried.report.kinds.front().added_to_scores;
  added.assign(20, 0);
  CHECK_FALSE(says(tried.report.reason(), "the jump in the chart"));
  added[15] = -1;
  CHECK(says(tried.report.reason(),
             "and an item 16 or more back counts more than one 15 back (the jump in the chart). Alibi"));
  added[14] = added[13] = -1;
  added[12] = 1;
  CHECK(says(tried.report.reason(), "more than one 13 to 15 back (the jump in the chart). Alibi"));
  for (std::size_t back = 1; back < 13; ++back) added[back] = 2;
  CHECK(says(tried.report.reason(),
             "Still, what stands 1 to 12 back has the highest numbers of all: a last value that stands there "
             "is often found. At length 256 that is worth more (60 %) than always to say the commonest value "
             "(36 %). "
             "Alibi"));
  tried.report.kinds.front().accuracies.back() = 36;
  CHECK_FALSE(says(tried.report.reason(), "Still, "));
  CHECK(PositionsTried("relative").report.reason().empty());
}

// At length 256 a guess is right 28.9 times of a hundred.
TEST_CASE("positions: the best come first, and who is hardly better than a guess or no better is said") {
  const std::string alibi = " Alibi says that farther counts less, which holds at any distance.";
  CHECK(
      PositionsTried("alibi", 60).report.summary() ==
      "In short: at length 256 all alibi (99 %) and relative (60 %) are clearly better than a guess (29 %)." +
          alibi);
  CHECK(PositionsTried("alibi", 32).report.summary() ==
        "In short: at length 256 only alibi (99 %) is clearly better than a guess (29 %). The others "
        "(relative) are right "
        "in 32 %, less often than one who always said the name's commonest value (36 %)." +
            alibi);
  CHECK(PositionsTried("relative", 20).report.summary() ==
        "In short: at length 256 only relative (99 %) is clearly better than a guess (29 %). The others "
        "(alibi) are right "
        "in 20 %, less often than one who always said the name's commonest value (36 %).");
  CHECK(PositionsTried("", 32).report.summary() ==
        "In short: at length 256 no kind is clearly better than a guess: give it more --steps.");
  CHECK(PositionReport(LengthSettings{}).summary().empty());
  LengthSettings brief;
  brief.lengths = {4};  // where few names have had several values
  CHECK(PositionsTried("", 97, brief).report.summary() ==
        "In short: at length 4 a guess is nearly always right: longer --lengths tell the kinds apart.");
}

TEST_CASE("positions: a kind wins that is 5 points better than a guess at the greatest length") {
  const PositionsTried tried("alibi", 33);
  CHECK_FALSE(tried.report.is_ahead(tried.report.kinds[0]));
  CHECK(tried.report.is_ahead(tried.report.kinds[1]));
  CHECK(PositionsTried("alibi", 34).report.is_ahead(PositionsTried("alibi", 34).report.kinds[0]));
}

TEST_CASE("positions: that a guess is often right in short sequences is said where it is, of the shortest") {
  LengthSettings settings;
  CHECK(PositionReport(settings).about_short_ones() ==
        "At length 8 few names have had several values, so that a guess is often right there.");
  settings.lengths = {128, 256};
  CHECK(PositionReport(settings).about_short_ones().empty());
}

// At length 256 it is right 28.9 times, and the commonest value 35.8 times.
TEST_CASE(
    "positions: that attention without places hears how often values come is said where it beats a guess by "
    "as much") {
  const auto found_with = [](double more) {
    const LengthSettings settings;
    PositionReport report(settings);
    LengthOutcome none;
    none.positions = "none";
    none.accuracies = report.guesses.any;
    none.accuracies.back() += more;
    report.add(none);
    return report.blind_finding();
  };
  CHECK(says(found_with(4), "it hears how often a value came, and not when"));
  CHECK(found_with(0.5).empty());
  CHECK(found_with(20).empty());
  CHECK(found_with(-5).empty());
}
