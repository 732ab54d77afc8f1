#include <gradual/nn/drawing/result_table.hpp>

#include <stdexcept>

#include "support/catch.hpp"

using namespace gradual;

namespace {

ResultTable models() {
  ResultTable table({{"model", "way"}, {"parameters", "parameters"}, {"right", "right", 1, " %"}});
  table.add({"né", 1234, 99.96}).add({"a guess", {}, 20.0});
  return table;
}

}  // namespace

TEST_CASE("result table: titles and rows stand below each other, numbers at the right with their units") {
  CHECK(models().lines() ==
        "way                    parameters    right\n"
        "né                          1,234  100.0 %\n"
        "a guess                             20.0 %\n");
  CHECK(models().head() + models().last_line() ==
        "way                    parameters    right\n"
        "a guess                             20.0 %\n");
}

TEST_CASE(
    "result table: a page gets the same texts, JSON the whole numbers and nothing for what is not there") {
  CHECK(models().titles() == std::vector<std::string>{"way", "parameters", "right"});
  CHECK(models().rows() ==
        std::vector<std::vector<std::string>>{{"né", "1,234", "100.0 %"}, {"a guess", "", "20.0 %"}});
  CHECK(models().json() ==
        R"([{"model":"né","parameters":1234,"right":99.96},{"model":"a guess","right":20.0}])");
  CHECK(ResultTable(std::vector<ResultTable::Column>{{"a", "b"}}).json() == "[]");
}

TEST_CASE("result table: titles of several lines stand above each other, and in one line on a page") {
  ResultTable table({{"name", "way", 0, "", 10}, {"right", "exactly\nright", 1, " %"}, {"n", "n", 0, "", 3}});
  table.add({"a guess", 20.0, 7});
  CHECK(table.lines() ==
        "            exactly\n"
        "way           right    n\n"
        "a guess      20.0 %    7\n");
  CHECK(table.titles() == std::vector<std::string>{"way", "exactly right", "n"});
}

TEST_CASE("result table: a column of words begins at its left, below its title") {
  ResultTable table({{"name", "", 0, "", 8}, {"score", "its score", 0, "", 12, "", true}, {"right", "right"}});
  table.add({"dot", "q·k", 20}).add({"beyond its", "own", 7});
  CHECK(table.lines() ==
        "          its score       right\n"
        "dot       q·k                20\n"
        "beyond its  own               7\n");
}

TEST_CASE("result table: what is too wide takes the room beside it, and a row must have all its cells") {
  ResultTable table({{"a", "", 0, "", 4}, {"b", "b"}, {"c", "c"}});
  table.add({"", "beyond its own", "x"});
  CHECK(table.last_line() == "  beyond its own     x\n");
  table.add({"", "x", "far beyond"});
  CHECK(table.last_line() == "            x  far beyond\n");
  table.add({"no room", "so wide", "x"});
  CHECK(table.last_line() == "no room  so wide     x\n");
  CHECK_THROWS_WITH(table.add({"a"}),
                    "result table: a row must have a cell for each column: it has 1, columns are 3");
}

TEST_CASE("result table: the second title may begin in the first column, behind that one's title") {
  ResultTable table({{"a", "a", 0, "", 12}, {"b", "parameters", 0, "", 4}, {"c", "c", 0, "", 1}});
  table.add({"a long name", 1234, 5});
  CHECK(table.lines() ==
        "a       parameters  c\n"
        "a long name  1,234  5\n");
}

TEST_CASE("result table: in a terminal that it does not fit, a row is a block of figures with their names") {
  ResultTable table(
      {{"a", "way", 0, "", 12}, {"b", "so\nmany", 0, "", 4}, {"c", "right", 1, " %"}, {"d", "d"}});
  table.add({"a guess", 1234, 20.0, {}}).add({"the other", {}, 99.5, 7});
  const std::string wide = table.lines();
  CHECK(table.within(36).lines() == wide);  // it has 12 + 6 + 9 + 9 columns
  CHECK(table.within(0).lines() == wide);
  CHECK(table.within(30).lines() ==
        "a guess\n"
        "  so many 1,234, right 20.0 %\n"
        "the other\n"
        "  right 99.5 %, d 7\n");
  CHECK(table.within(29).lines() ==
        "a guess\n"
        "  so many 1,234,\n"
        "  right 20.0 %\n"
        "the other\n"
        "  right 99.5 %, d 7\n");
  CHECK(table.head().empty());
  CHECK(table.last_line() == "the other\n  right 99.5 %, d 7\n");
}

TEST_CASE("result table: a group stands once over its columns, and before each title in one line") {
  ResultTable table({{"a", "way", 0, "", 6},
                     {"b", "right"},
                     {"c", "8", 0, " %", 5, "right at"},
                     {"d", "16", 0, " %", 5, "right at"},
                     {"e", "so\nmany", 0, "", 4, "n"},
                     {"f", "f", 0, "", 3, "a long name"},
                     {"g", "g", 0, "", 3}});
  table.add({"a", 1, 2, 3, 4, 5, 6});
  CHECK(table.lines() ==
        "                 ─ right at ─   n ─   a long name\n"
        "                                 so\n"
        "way       right      8     16  many    f    g\n"
        "a             1    2 %    3 %     4    5    6\n");
  CHECK(table.short_titles()[2] == "8");
  CHECK(table.titles() == std::vector<std::string>{"way", "right", "right at 8", "right at 16", "n so many",
                                                   "a long name f", "g"});
  CHECK(table.within(20).lines().find("right at 8 2 %") != std::string::npos);
}

TEST_CASE("result table: parts of its rows stand apart in a terminal, and nowhere else") {
  ResultTable table({{"a", "way", 0, "", 4}, {"b", "b", 0, "", 2}});
  table.add({"x", 1}).add({"y", 2}).part().add({"z", 3});
  CHECK(table.lines() == "way    b\nx      1\ny      2\n\nz      3\n");
  CHECK(table.last_line() == "z      3\n");
  CHECK(table.rows().size() == 3);
  ResultTable named({{"a", "way", 0, "", 4}, {"b", "b", 0, "", 2}});
  named.part("letters").add({"x", 1}).part("others").add({"y", 2});
  CHECK(named.lines() == "way    b\nletters:\nx      1\n\nothers:\ny      2\n");
  CHECK(table.within(5).lines() == "x\n  b 1\ny\n  b 2\n\nz\n  b 3\n");
}
