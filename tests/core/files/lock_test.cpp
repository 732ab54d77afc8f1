#include <gradual/core/files/lock.hpp>

#include <optional>
#include <string>

#include <gradual/core/error.hpp>
#include <gradual/core/files/system_file.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("lock: one at a time holds a file, and who comes second learns who") {
  const TestFolder folder;
  const std::string path = folder / "lock";
  std::optional<FileLock> first(std::in_place, path, "taken");
  CHECK(message_of<FileError>([&] { FileLock(path, "taken"); }) ==
        path + ": taken (process " + std::to_string(process_number()) + ")");
  first.reset();
  CHECK(message_of<FileError>([&] { FileLock(path, "taken"); }) == "no error");
}

TEST_CASE("lock: a file that cannot be made is an error") {
  const TestFolder folder;
  CHECK(message_of<FileError>([&] { FileLock(folder / "none/lock", "taken"); }) ==
        folder / "none/lock" + ": cannot be written: No such file or directory");
}

TEST_CASE("lock: a file of that name with something else in it is left as it is") {
  const TestFolder folder;
  const std::string path = folder.write("lock", "precious\n");
  CHECK_THAT(message_of<FileError>([&] { FileLock(path, "taken"); }), Contains("would be lost"));
  CHECK(content(path) == "precious\n");
  CHECK_NOTHROW(FileLock(folder.write("old", "123"), "taken"));
  CHECK_NOTHROW(FileLock(folder.write("empty", ""), "taken"));
}
