#include <gradual/core/files/config_lines.hpp>

#include <sstream>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

std::vector<ConfigLine> read_lines(const std::string& content) {
  std::istringstream lines(content);
  return read_config(lines, "run.conf",
                     [](const std::string& key) { return key == "wrong" ? "unknown key \"wrong\"" : ""; });
}

}  // namespace

TEST_CASE("config lines: keys and values, with comments, quotation marks and spaces around them") {
  const auto lines = read_lines(
      "\xEF\xBB\xBF"
      "# a comment\n\n  steps = 3   # another\r\nname = \"a # b \\\"c\\\" \\\\ \" # end\nempty = \"\\\"\"\n");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].key == "steps");
  CHECK(lines[0].value == "3");
  CHECK(lines[1].value == "a # b \"c\" \\ ");
  CHECK(lines[2].value == "\"");
}

TEST_CASE("config lines: what is no line is refused with its number") {
  for (const auto& [content, rule] :
       {std::pair("a = 1\nsteps 3\n", "run.conf:2: a line must be `key = value`"),
        {"# steps = 3\n# = 4\nwrong = 1\n", "run.conf:3: unknown key \"wrong\""},
        {"name = \"open\n", "run.conf:1: quotation marks must enclose"},
        {"name = # nothing\n", "run.conf:1: \"name\" must have a value"}})
    CHECK_THROWS_WITH(read_lines(content), Contains(rule));
}

TEST_CASE("config lines: what is written is read back, whatever it is") {
  for (const std::string value :
       {"3", "two words", " spaces ", "a # b", "\"quoted\"", "back\\slash", "\\\"", "#"}) {
    const auto lines = read_lines(config_line("key", value));
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].value == value);
  }
  CHECK(lines_of("a = 1\nb = \"x # y\"\n")[1].value == "\"x # y\"");
  CHECK_THROWS_WITH(config_line("key", "two\nlines"), Contains("--key has a line break"));
  CHECK_THROWS_WITH(config_line("key", ""),
                    "config: a setting must have a value: --key has none; leave it out");
}
