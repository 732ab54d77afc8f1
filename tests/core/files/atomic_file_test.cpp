#include <gradual/core/files/atomic_file.hpp>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include "core/files/atomic_file.hpp"
#include "support/catch.hpp"

using namespace gradual;
namespace fs = std::filesystem;

TEST_CASE("atomic file: a new file holds the given bytes, zeros and line ends included") {
  const TestFolder folder;
  const std::string bytes("a\0b\r\n\xff", 6);
  write_file_atomically(folder / "new", bytes);
  CHECK(content(folder / "new") == bytes);
  CHECK(entries(folder) == 1);
}

TEST_CASE("atomic file: an existing file is replaced, whether longer or shorter") {
  const TestFolder folder;
  const std::string path = folder.write("file", "something long");
  write_file_atomically(path, "short");
  CHECK(content(path) == "short");
  write_file_atomically(path, "");
  CHECK(content(path).empty());
  CHECK(entries(folder) == 1);
}

TEST_CASE("atomic file: what lies where its bytes would be collected is another writer's, and stays") {
  const TestFolder folder;
  const std::string path = folder / "file";
  std::string own;  // the name of this writer's own: that of the next one has a number more
  write_file_atomically(path, [&](const ByteSink&) {
    own = name_of(fs::directory_iterator(path_of(folder / ""))->path().filename());
  });
  const auto place = own.rfind('-') + 1;
  const int number = std::stoi(own.substr(place));
  const auto name_with = [&](int more) {
    return own.substr(0, place) + std::to_string(number + more) + ".tmp";
  };
  for (const int more : {1, 2}) folder.write(name_with(more), "another's");
  write_file_atomically(path, "mine");
  CHECK(content(path) == "mine");
  for (const int more : {1, 2}) CHECK(content(folder / name_with(more)) == "another's");
  CHECK(entries(folder) == 3);
}

TEST_CASE("atomic file: a name is UTF-8") {
  const TestFolder folder;
  write_file_atomically(folder / "Übung-日本", "x");
  CHECK(content(folder / "Übung-日本") == "x");
  CHECK(name_of(fs::directory_iterator(path_of(folder / ""))->path().filename()) == "Übung-日本");
}

TEST_CASE("atomic file: a folder that does not exist is named in the error") {
  const TestFolder folder;
  const std::string path = folder / "missing/file";
  CHECK(failure(path, "x") == path + ": cannot be written: No such file or directory");
}

TEST_CASE("atomic file: an empty path is an error") {
  CHECK_THROWS_AS(write_file_atomically("", "x"), FileError);
}

TEST_CASE("atomic file: a relative path is relative to the working folder") {
  const TestFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(fs::path(folder / "."));
  write_file_atomically("here", "x");
  fs::current_path(before);
  CHECK(content(folder / "here") == "x");
}

TEST_CASE("atomic file: bytes that are handed over in pieces follow each other") {
  const TestFolder folder;
  write_file_atomically(folder / "file", [](const ByteSink& write) {
    write("one");
    write("");
    write("two");
  });
  CHECK(content(folder / "file") == "onetwo");
}

TEST_CASE("atomic file: an exception on the way leaves the old file and no other") {
  const TestFolder folder;
  folder.write("file", "old");
  const auto fail_half_way = [](const ByteSink& sink) {
    sink("new");
    throw std::runtime_error("half way");
  };
  CHECK_THROWS_WITH(write_file_atomically(folder / "file", fail_half_way), "half way");
  CHECK(content(folder / "file") == "old");
  CHECK(entries(folder) == 1);
}

TEST_CASE("atomic file: what goes wrong in the one who fills it is not taken for a failure to write") {
  const TestFolder folder;
  const auto source_fails = [](const ByteSink&) {
    throw std::system_error(std::make_error_code(std::errc::timed_out), "the source");
  };
  CHECK_THROWS_AS(write_file_atomically(folder / "file", source_fails), std::system_error);
  CHECK(entries(folder) == 0);
}
