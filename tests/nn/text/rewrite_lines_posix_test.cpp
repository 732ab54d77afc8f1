// Outputs that are no regular files.
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/rewrite_lines.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("rewriting a file: a pipe is no output, and a symbolic link is followed") {
  const TestFolder folder;
  const std::string input = folder.write("in", "a\n"), pipe = folder / "pipe", link = folder / "link";
  int blocks = 0;
  const auto copied = [&](const std::vector<std::string>& lines) {
    ++blocks;
    return lines.front() + "\n";
  };
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(message_of<FileError>([&] { rewrite_lines(input, pipe, {}, copied); }) ==
        pipe + ": cannot be written: not a regular file");
  CHECK(blocks == 0);
  CHECK(std::filesystem::is_fifo(pipe));

  std::filesystem::create_directory(folder / "sub");
  folder.write("sub/target", "old");
  std::filesystem::create_symlink("sub/target", link);
  rewrite_lines(input, link, {}, copied);
  CHECK(std::filesystem::is_symlink(link));
  CHECK(content(folder / "sub/target") == "a\n");

  std::filesystem::create_symlink("in", folder / "to-input");
  CHECK_THROWS_AS(rewrite_lines(input, folder / "to-input", {}, copied), FileError);
  CHECK(blocks == 1);
}

TEST_CASE("rewriting a file: who may read the output is as before") {
  namespace files = std::filesystem;
  const TestFolder folder;
  const std::string input = folder.write("in", "a\n"), output = folder.write("out", "private\n");
  for (const files::perms mine :
       {files::perms::owner_read | files::perms::owner_write, files::perms::owner_read}) {
    files::permissions(output, mine);
    rewrite_lines(input, output, {}, [](const std::vector<std::string>&) { return RewrittenLines("b\n"); });
    CHECK(content(output) == "b\n");
    CHECK(files::status(output).permissions() == mine);
  }
}
