#include <gradual/nn/text/read_text.hpp>

#include <filesystem>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("read text: a file is read to its last byte, however long") {
  const TestFolder folder;
  const std::string text = std::string(70000, 'a') + "\r\né\n";
  CHECK(read_text(folder.write("text", text)) == text);
}

TEST_CASE("read text: no file, a folder, an empty file and bytes that are no text are refused by name") {
  const TestFolder folder;
  const auto problem = [](const std::string& path) {
    return message_of<FileError>([&] { read_text(path); });
  };
  CHECK(problem(folder / "none").find("cannot be read") != std::string::npos);
  std::filesystem::create_directory(folder / "folder");
  CHECK(problem(folder / "folder").find("cannot be read") != std::string::npos);
  CHECK(problem(folder.write("empty", "")).find("the text is empty") != std::string::npos);
  CHECK(problem(folder.write("bytes", "ab\xff")).find("not valid UTF-8") != std::string::npos);
}
