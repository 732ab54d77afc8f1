#include "../../../examples/terminal/progress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/nn/text/utf8.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

bool contains(const std::string& line, const std::string& part) {
  return line.find(part) != std::string::npos;
}

// A quarter of the way, 30 s a quarter: 90 s are left.
const Progress kQuarter{750, 3000, 1.2346, 12345, 30};

}  // namespace

TEST_CASE("progress line: bar, step, loss, speed and time left") {
  CHECK(progress_line(kQuarter, 68) ==
        "━━━━━───────────────   750/3000  loss 1.235  12.3k tok/s   1:30 left");
}

TEST_CASE("progress line: plain ASCII when asked for") {
  const std::string line = progress_line(kQuarter, 70, false);
  CHECK(line == "[=====               ]   750/3000  loss 1.235  12.3k tok/s   1:30 left");
  CHECK(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; }));
}

TEST_CASE("progress line: it is never wider than the terminal, and fills it while the bar can grow") {
  for (Index columns = 1; columns <= 130; ++columns) {
    for (const bool unicode : {true, false}) {
      const std::size_t width = split_characters(progress_line(kQuarter, columns, unicode)).size();
      CHECK(width <= static_cast<std::size_t>(columns));
      if (columns >= 58 && columns <= 88) CHECK(width == static_cast<std::size_t>(columns));
    }
  }
}

TEST_CASE("progress line: a narrow terminal keeps what matters most") {
  CHECK(progress_line(kQuarter, 35) == " 750/3000  loss 1.235   1:30 left");
  CHECK(progress_line(kQuarter, 25) == " 750/3000  loss 1.235");
  CHECK(progress_line(kQuarter, 10) == " 750/3000");
  CHECK(progress_line(kQuarter, 5) == "25%");
  CHECK(progress_line(kQuarter, 2).empty());
}

TEST_CASE("progress line: before the first step no time is known, after the last it is the whole time") {
  CHECK(contains(progress_line({0, 10, 5, 0, 0}, 80), "-:-- left"));
  CHECK(contains(progress_line({10, 10, 5, 100, 65}, 80), "done in 1:05"));
}

TEST_CASE(
    "progress line: the bar is empty at the start, half after half a step of the bar, full at the end") {
  const auto bar = [](Index step) { return progress_line({step, 80, 1, 100, 1}, 120).substr(0, 3 * 40); };
  CHECK(contains(bar(0), "────────────────────────────────────────"));
  CHECK(contains(bar(1), "╸───────────────────────────────────────"));
  CHECK(contains(bar(80), "━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━"));
}

TEST_CASE("progress line: a loss that is not a number or huge is shown") {
  CHECK(contains(progress_line({1, 10, std::nan(""), 100, 1}, 80), "loss nan"));
  CHECK(contains(progress_line({1, 10, 1.5e20, 100, 1}, 80), "loss 1.5e20"));
}

TEST_CASE("progress line: bad arguments are named") {
  CHECK_THROWS_WITH(progress_line({11, 10, 1, 1, 1}, 80),
                    "progress_line: the step must lie between 0 and the number of steps, which is at least "
                    "1: step is 11, steps "
                    "in all are 10");
  CHECK_THROWS_AS(progress_line({0, 0, 1, 1, 1}, 80), std::invalid_argument);
  CHECK_THROWS_AS(progress_line({-1, 10, 1, 1, 1}, 80), std::invalid_argument);
  CHECK_THROWS_WITH(progress_line(kQuarter, 0),
                    "progress_line: there must be at least 1 column: columns is 0");
}

TEST_CASE(
    "progress line: where there are no tokens their speed is left out, and what is trained has a name") {
  CHECK(progress_line({750, 3000, 1.2346, 0, 30, "with attention"}, 80) ==
        "━━━━━━━──────────────────────  with attention   750/3000  loss 1.235   1:30 left");
  CHECK_FALSE(contains(progress_line({750, 3000, 1.2346, 0, 30, "with attention"}, 50), "with"));
}
