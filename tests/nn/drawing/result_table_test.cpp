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
        "way                       parameters     right\n"
        "né                              1234   100.0 %\n"
        "a guess                                 20.0 %\n");
  CHECK(models().head() + models().last_line() ==
        "way                       parameters     right\n"
        "a guess                                 20.0 %\n");
}

TEST_CASE(
    "result table: a page gets the same texts, JSON the whole numbers and nothing for what is not there") {
  CHECK(models().titles() == std::vector<std::string>{"way", "parameters", "right"});
  CHECK(models().rows() ==
        std::vector<std::vector<std::string>>{{"né", "1234", "100.0 %"}, {"a guess", "", "20.0 %"}});
  CHECK(models().json() ==
        R"([{"model":"né","parameters":1234,"right":99.96},{"model":"a guess","right":20.0}])");
  CHECK(ResultTable(std::vector<ResultTable::Column>{{"a", "b"}}).json() == "[]");
}

TEST_CASE("result table: titles of several lines stand above each other, and in one line on a page") {
  ResultTable table({{"name", "way", 0, "", 10}, {"right", "exactly\nright", 1, " %"}, {"n", "n", 0, "", 3}});
  table.add({"a guess", 20.0, 7});
  CHECK(table.lines() ==
        "             exactly\n"
        "way            right    n\n"
        "a guess       20.0 %    7\n");
  CHECK(table.titles() == std::vector<std::string>{"way", "exactly right", "n"});
}

TEST_CASE("result table: a text that is too wide keeps its distance, and a row must have all its cells") {
  ResultTable table({{"a", ""}, {"b", "b"}, {"c", "c"}});
  table.add({"", "wider than its column", "x"});
  CHECK(table.last_line() == std::string(24, ' ') + "  wider than its column" + std::string(9, ' ') + "x\n");
  CHECK_THROWS_WITH(table.add({"a"}),
                    "result table: a row must have a cell for each column: it has 1, columns are 3");
}
