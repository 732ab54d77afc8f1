#include <gradual/nn/text/rewrite_lines.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/core/files/read_line.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

struct Killed {};

RewriteOptions by_threes() {
  RewriteOptions options;
  options.lines_together = 3;
  options.how = "doubling";
  return options;
}

std::string doubled(const std::vector<std::string>& lines) {
  std::string bytes;
  for (const std::string& line : lines) bytes += line + line + "\n";
  return bytes;
}

// Doubles lines until the block that has `last` in it.
void double_until(const std::string& input, const std::string& output, const std::string& last) {
  CHECK_THROWS_AS(rewrite_lines(input, output, by_threes(),
                                [&](const std::vector<std::string>& lines) {
                                  for (const std::string& line : lines)
                                    if (line == last) throw Killed();
                                  return doubled(lines);
                                }),
                  Killed);
}

}  // namespace

TEST_CASE("rewriting a file: every line in its order, an empty one and one without an end too") {
  const TestFolder folder;
  const std::string input = folder.write("in", "a\nb\n\nd\ne\nf\ng"), output = folder / "out";
  std::vector<std::size_t> blocks;
  rewrite_lines(input, output, by_threes(), [&](const std::vector<std::string>& lines) {
    blocks.push_back(lines.size());
    return doubled(lines);
  });
  CHECK(content(output) == "aa\nbb\n\ndd\nee\nff\ngg\n");
  CHECK(blocks == std::vector<std::size_t>{3, 3, 1});
  CHECK_FALSE(std::filesystem::exists(folder / "out.part"));
  CHECK_FALSE(std::filesystem::exists(folder / "out.done"));
  rewrite_lines(folder.write("none", ""), output, by_threes(), doubled);
  CHECK(content(output).empty());
}

TEST_CASE(
    "rewriting a file: an input that becomes nothing costs no earlier output, where that is asked for") {
  const TestFolder folder;
  const std::string input = folder.write("in", "\n\n\n\n"), output = folder.write("out", "before\n");
  RewriteOptions options = by_threes();
  options.if_empty = "nothing to double";
  const auto none = [](const std::vector<std::string>&) { return RewrittenLines(""); };
  CHECK(message_of<FileError>([&] { rewrite_lines(input, output, options, none); }) ==
        input + ": nothing to double");
  CHECK(content(output) == "before\n");
  CHECK_FALSE(std::filesystem::exists(folder / "out.part"));  // which another input would not go on with
  CHECK_FALSE(std::filesystem::exists(folder / "out.done"));
  rewrite_lines(folder.write("in", "a\n"), output, options, doubled);
  CHECK(content(output) == "aa\n");
}

TEST_CASE("rewriting a file: ended in the middle and called again, it goes on and ends with the same bytes") {
  const TestFolder folder;
  const std::string input = folder.write("in", "a\nb\nc\nd\ne\nf\ng\nh\n"), output = folder / "out";
  double_until(input, output, "e");
  CHECK_FALSE(std::filesystem::exists(output));
  CHECK(content(folder / "out.part") == "aa\nbb\ncc\n");
  folder.write("out.part", "aa\nbb\ncc\ndd\ne");  // a block of which half was written
  std::vector<std::string> seen;
  std::vector<Index> told;
  RewriteOptions options = by_threes();
  options.progress = [&](Index lines) { told.push_back(lines); };
  rewrite_lines(input, output, options, [&](const std::vector<std::string>& lines) {
    seen.insert(seen.end(), lines.begin(), lines.end());
    return doubled(lines);
  });
  CHECK(seen == std::vector<std::string>{"d", "e", "f", "g", "h"});
  CHECK(told == std::vector<Index>{3, 6, 8});
  CHECK(content(output) == "aa\nbb\ncc\ndd\nee\nff\ngg\nhh\n");
}

TEST_CASE("rewriting a file: a text whose lines end elsewhere has changed, though its letters are the same") {
  const TestFolder folder;
  const std::string output = folder / "out";
  double_until(folder.write("in", "a\nbc\nd\ne\n"), output, "e");
  const std::string input = folder.write("in", "ab\nc\nd\ne\n");
  CHECK(message_of<FileError>([&] {
          rewrite_lines(input, output, by_threes(), doubled);
        }).find("has changed in the 3 lines that an earlier run has read") != std::string::npos);
}

TEST_CASE("rewriting a file: lines that failed are counted, those of an earlier run too") {
  const TestFolder folder;
  const std::string input = folder.write("in", "a\n!\nc\nd\n!\n!\n"), output = folder / "out";
  Index blocks = 0;
  const auto with_failures = [&](const std::vector<std::string>& lines) -> RewrittenLines {
    if (blocks-- == 0) throw Killed();
    return {doubled(lines), std::count(lines.begin(), lines.end(), "!")};
  };
  blocks = 1;
  CHECK_THROWS_AS(rewrite_lines(input, output, by_threes(), with_failures), Killed);
  CHECK(rewrite_lines(input, output, by_threes(), with_failures) == 3);
  CHECK(rewrite_lines(input, folder / "none", by_threes(), doubled) == 0);
}

TEST_CASE("rewriting a file: ended after the output had its name, it is called again and has nothing to do") {
  const TestFolder folder;
  const std::string input = folder.write("in", "a\nb\nc\nd\n"), output = folder / "out";
  RewriteOptions options = by_threes();
  std::string done;
  options.progress = [&](Index) { done = content(folder / "out.done"); };
  rewrite_lines(input, output, options, doubled);
  folder.write("out.done", done);
  rewrite_lines(input, output, by_threes(),
                [](const std::vector<std::string>&) -> std::string { throw Killed(); });
  CHECK(content(output) == "aa\nbb\ncc\ndd\n");
  CHECK_FALSE(std::filesystem::exists(folder / "out.part"));
  CHECK_FALSE(std::filesystem::exists(folder / "out.done"));
  folder.write("out.done", done);
  folder.write("out.part", "aa\nb");  // and ended again, while the output was copied back
  rewrite_lines(input, output, by_threes(), doubled);
  CHECK(content(output) == "aa\nbb\ncc\ndd\n");
}

TEST_CASE("rewriting a file: of lines that are long fewer are in memory together") {
  const TestFolder folder;
  const std::string line(longest_line / 2, 'a');
  const std::string input = folder.write("in", line + "\n" + line + "\n" + line + "\nb\n");
  std::vector<std::size_t> blocks;
  rewrite_lines(input, folder / "out", {}, [&](const std::vector<std::string>& lines) {
    blocks.push_back(lines.size());
    return std::string();
  });
  CHECK(blocks == std::vector<std::size_t>{2, 2});
}

TEST_CASE("rewriting a file: while another process writes, nothing else of its files is looked at") {
  const TestFolder folder;
  const std::string input = folder.write("in", "a\n"), output = folder / "out";
  folder.write("out.done", "{");  // which the other one is about to replace
  SystemFile part(path_of(folder / "out.part"));
  REQUIRE(part.lock());
  CHECK_THAT(message_of<FileError>([&] { rewrite_lines(input, output, by_threes(), doubled); }),
             Contains("is being written by another process"));
}

TEST_CASE("rewriting a file: a folder, and the input by any name, are no output, and stay what they are") {
  const TestFolder folder;
  const std::string input = folder.write("in", "a\n");
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_hard_link(path_of(input), path_of(folder / "same"));
  std::filesystem::create_hard_link(path_of(input), path_of(folder / "new.part"));
  const auto problem = [&](const std::string& output) {
    return message_of<FileError>([&] {
      rewrite_lines(input, output, by_threes(),
                    [](const std::vector<std::string>&) -> std::string { throw Killed(); });
    });
  };
  CHECK(problem(folder / "sub") == folder / "sub" + ": cannot be written: not a regular file");
  for (const char* name : {"in", "sub/../in", "same", "new"})
    CHECK_THAT(problem(folder / name), Contains(": cannot be written: it is the input, "));
  CHECK(content(input) == "a\n");
}

TEST_CASE("rewriting a file: another way, other lines or a lost part are not gone on with") {
  const TestFolder folder;
  const std::string input = folder.write("in", "a\nb\nc\nd\n"), output = folder / "out";
  double_until(input, output, "d");
  const auto problem = [&](const RewriteOptions& options) {
    return message_of<FileError>([&] { rewrite_lines(input, output, options, doubled); });
  };
  RewriteOptions other = by_threes();
  other.how = "trebling";
  CHECK_THAT(problem(other),
             Contains("an earlier run was another: by doubling; this one is by trebling; delete"));
  folder.write("in", "a\nB\nc\nd\n");
  CHECK_THAT(problem(by_threes()), Contains("has changed in the 3 lines that an earlier run has read"));
  folder.write("in", "a\nb\n");
  CHECK_THAT(problem(by_threes()), Contains("has changed"));
  folder.write("in", "a\nb\nc\nd\n");
  folder.write("out.part", "aa\n");
  CHECK_THAT(problem(by_threes()), Contains("lacks what an earlier run wrote, 9 bytes"));
  folder.write("out.done", "{");
  CHECK_THAT(problem(by_threes()), Contains("does not say how far an earlier run is"));
  CHECK_THAT(message_of<FileError>([&] { rewrite_lines(folder / "no", output, by_threes(), doubled); }),
             Contains("no: cannot be read: No such file or directory"));
  CHECK_THAT(message_of<FileError>([&] { rewrite_lines(folder / ".", output, by_threes(), doubled); }),
             Contains("cannot be read: Is a directory"));
  const std::string longer = folder.write("longer", "a\n" + std::string(longest_line + 1, 'b'));
  CHECK_THAT(message_of<FileError>([&] { rewrite_lines(longer, folder / "shorter", by_threes(), doubled); }),
             Contains("longer:2: a line must have at most"));
  RewriteOptions none = by_threes();
  none.lines_together = 0;
  CHECK_THROWS_AS(rewrite_lines(input, output, none, doubled), std::invalid_argument);
}

TEST_CASE(
    "rewriting a file: a part of somebody else's is left as it is, and ours is known from the first line "
    "on") {
  const TestFolder folder;
  const std::string input = folder.write("in", "a\nb\n"), output = folder / "out";
  folder.write("out.part", "precious\n");
  CHECK_THAT(message_of<FileError>([&] { rewrite_lines(input, output, by_threes(), doubled); }),
             Contains("out.part: would be lost: it is not from here"));
  CHECK(content(folder / "out.part") == "precious\n");
  CHECK_FALSE(std::filesystem::exists(folder / "out.done"));
  std::filesystem::remove(folder / "out.part");
  CHECK_THROWS_AS(rewrite_lines(input, output, by_threes(),
                                [&](const std::vector<std::string>&) -> std::string {
                                  folder.write("out.part",
                                               "half of what");  // as if it was ended while it wrote
                                  throw Killed();
                                }),
                  Killed);
  RewriteOptions other = by_threes();
  other.how = "trebling";  // nothing was done in another way
  rewrite_lines(input, output, other, doubled);
  CHECK(content(output) == "aa\nbb\n");
}

TEST_CASE("rewriting a file: to delete what the message names begins anew") {
  const TestFolder folder;
  const std::string input = folder.write("in", "a\nb\nc\nd\n"), output = folder / "out";
  double_until(input, output, "d");
  RewriteOptions other = by_threes();
  other.how = "trebling";
  const std::string problem = message_of<FileError>([&] { rewrite_lines(input, output, other, doubled); });
  CHECK_THAT(problem, Contains("delete it and " + output + ".part to begin anew"));
  std::filesystem::remove(output + ".part");
  std::filesystem::remove(output + ".done");
  rewrite_lines(input, output, other, doubled);
  CHECK(content(output) == "aa\nbb\ncc\ndd\n");
}
