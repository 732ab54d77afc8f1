#include <gradual/core/files/read_line.hpp>

#include <fstream>
#include <sstream>
#include <vector>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

struct Read {
  std::vector<std::string> lines;
  std::ios::iostate end;
};

template <class Next>
Read all_lines(const std::string& bytes, Next next) {
  std::istringstream in(bytes);
  Read read;
  for (std::string line; next(in, line);) read.lines.push_back(line);
  read.end = in.rdstate();
  return read;
}

}  // namespace

TEST_CASE("read_line: it reads what std::getline reads, and leaves the stream as that does") {
  for (const std::string bytes : {"", "\n", "a", "a\n", "a\nb", "\n\na\n\n", "\r\n", "a\r\nb\r"}) {
    const Read read =
        all_lines(bytes, [](auto& in, auto& line) -> std::istream& { return read_line(in, line, "x", 1); });
    const Read expected =
        all_lines(bytes, [](auto& in, auto& line) -> std::istream& { return std::getline(in, line); });
    CHECK(read.lines == expected.lines);
    CHECK(read.end == expected.end);
  }
}

TEST_CASE("read_line: a line that never ends is an error with its place, and a longest one is read") {
  std::string line;
  std::istringstream longest(std::string(longest_line, 'a') + "\nb");
  CHECK(read_line(longest, line, "x", 1));
  CHECK(line.size() == longest_line);
  std::istringstream longer(std::string(longest_line + 1, 'a'));
  CHECK_THROWS_WITH(read_line(longer, line, "x", 7), "x:7: a line must have at most 16777216 bytes");
}

TEST_CASE("read_line: a stream that cannot be read is bad") {
  std::ifstream folder(".");
  std::string line;
  CHECK_FALSE(read_line(folder, line, ".", 1));
#ifdef __linux__
  CHECK(folder.bad());
#endif
}
