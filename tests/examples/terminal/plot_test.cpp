#include "../../../examples/terminal/plot.hpp"

#include "../../../examples/terminal/reporter.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include <gradual/nn/text/utf8.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

const double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> lines_of(const std::string& plot) {
  std::vector<std::string> lines;
  std::istringstream stream(plot);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("sparkline: the lowest value is the lowest block, the highest the highest") {
  CHECK(sparkline({0, 1, 2, 3, 4, 5, 6, 7}, 20) == "▁▂▃▄▅▆▇█");
  CHECK(sparkline({7, 0}, 20) == "█▁");
}

TEST_CASE("terminal bar: it is as long as its share of the columns, to an eighth of one") {
  CHECK(terminal_bar(0, 8) == "");
  CHECK(terminal_bar(1, 8) == "████████");
  CHECK(terminal_bar(0.5, 8) == "████");
  CHECK(terminal_bar(0.5 + 1.0 / 64, 8) == "████▏");
  CHECK(terminal_bar(0.999, 8) == "████████");
  CHECK_THROWS_WITH(terminal_bar(1.1, 8), "terminal_bar: the share must be from 0 to 1: it is 1.1");
  CHECK_THROWS_WITH(terminal_bar(-0.1, 8), "terminal_bar: the share must be from 0 to 1: it is -0.1");
  CHECK_THROWS(terminal_bar(kNaN, 8));
}

TEST_CASE("sparkline: a column is the mean of its share") {
  CHECK(sparkline({0, 0, 6, 8, 3, 4}, 3) == "▁█▅");
}

TEST_CASE("sparkline: equal values are flat, missing ones are blank, none is empty") {
  CHECK(sparkline({3, 3}, 5) == "▁▁");
  CHECK(sparkline({0, kNaN, 1}, 5) == "▁ █");
  CHECK(sparkline({}, 5).empty());
  CHECK(sparkline({kNaN}, 5) == " ");
}

TEST_CASE("sparkline: it is never wider than asked for") {
  const std::vector<double> values(1000, 1.0);
  CHECK(split_characters(sparkline(values, 37)).size() == 37);
  CHECK_THROWS_WITH(sparkline(values, 0), "sparkline: there must be at least 1 column: columns is 0");
}

TEST_CASE("terminal plot: name, rows of blocks with the range of y, and the range of x") {
  const Series ramp{"ramp", {1, 2, 3, 4, 5}, {0, 1, 2, 3, 4}};
  CHECK(lines_of(terminal_plot(ramp, 20, 2)) ==
        std::vector<std::string>{"ramp", "4 │   ▄█", "0 │ ▄███", "   1   5"});
}

TEST_CASE("terminal plot: heights are rounded to the next eighth") {
  // 1.2 of 4 is 0.6 of two rows, and that is 4.8 eighths.
  CHECK(lines_of(terminal_plot({"a", {1, 2, 3}, {0, 4, 1.2}}, 20, 2)).at(2) == "0 │ █▅");
}

TEST_CASE("terminal plot: no line is wider than asked for") {
  Series series{"loss", {}, {}};
  for (int i = 0; i < 500; ++i) {
    series.x.push_back(i);
    series.y.push_back(7000 * std::exp(-i / 50.0));
  }
  for (const Index columns : {20, 50, 80}) {
    const auto lines = lines_of(terminal_plot(series, columns, 6));
    CHECK(lines.size() == 8);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      CHECK(split_characters(lines[i]).size() <= static_cast<std::size_t>(columns));
    }
  }
}

TEST_CASE("terminal plot: an empty series is its name, bad arguments are named") {
  CHECK(terminal_plot({"loss", {}, {}}, 40, 5) == "loss\n");
  CHECK_THROWS_WITH(terminal_plot({"loss", {1}, {}}, 40, 5),
                    "terminal_plot: a series must have as many x as y: \"loss\" has 1 x and 0 y");
  CHECK_THROWS_WITH(terminal_plot({"loss", {1}, {1}}, 19, 5),
                    "terminal_plot: there must be at least 20 columns and 2 rows: got 19 and 5");
}

TEST_CASE("plot of a log: its lines fit the terminal, and 80 columns of a wide one") {
  std::vector<TrainingPoint> points(300);
  for (std::size_t i = 0; i < points.size(); ++i) {
    TrainingPoint& point = points[i];
    point.step = static_cast<Index>(i) + 1;
    point.loss = 5 / (1 + 0.1 * static_cast<double>(i));
    point.learning_rate = 0.000123 * static_cast<double>(i);
    point.gradient_norm = 1;
    point.tokens_per_second = 12345;
  }
  for (const auto& [columns, width] : {std::pair(60, 60u), {200, 80u}}) {
    const auto lines = lines_of(plot_of(points, columns));
    CHECK(lines.front() == "loss");
    std::size_t widest = 0;
    for (const std::string& line : lines) widest = std::max(widest, split_characters(line).size());
    CHECK(widest == width);
  }
}
