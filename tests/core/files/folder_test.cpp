#include <gradual/core/files/folder.hpp>

#include <filesystem>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("folder: it is made with those that it lies in, and one that is there stays") {
  const TestFolder folder;
  make_folder(folder / "a/b");
  CHECK(std::filesystem::is_directory(folder / "a/b"));
  folder.write("a/b/kept", "yes");
  make_folder(folder / "a/b");
  CHECK(content(folder / "a/b/kept") == "yes");
}

TEST_CASE("folder: what cannot be made is named") {
  const TestFolder folder;
  const std::string file = folder.write("file", "in the way");
  CHECK(message_of<FileError>([&] { make_folder(file + "/inside"); }) ==
        file + "/inside: the folder cannot be made: Not a directory");
}
