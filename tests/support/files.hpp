// What the tests of files share: a folder that disappears with the test, and the message of an error.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gradual/core/files/path.hpp>
#include <gradual/core/files/system_file.hpp>

namespace gradual {

/// An empty folder for files of a test.
class TestFolder {
 public:
  TestFolder()
      : path_(std::filesystem::temp_directory_path() / ("gradual-test-" + std::to_string(process_number()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() { std::filesystem::remove_all(path_); }

  std::string operator/(const std::string& name) const { return name_of(path_ / path_of(name)); }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_of(*this / name), std::ios::binary) << bytes;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string content(const std::string& path) {
  std::ifstream file(path_of(path), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The message of the `Error` that `action` throws.
template <class Error, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// What `read` says, by an `Error`, of a file of these bytes, after the file's path.
template <class Error, class Read>
std::string complaint_about(const std::string& bytes, Read read) {
  const TestFolder folder;
  const std::string path = folder.write("file", bytes);
  const std::string message = message_of<Error>([&] { read(path); });
  return message.find(path) == 0 ? message.substr(path.size()) : message;
}

/// A safetensors file: the length of the header, in eight bytes, the header, and the numbers.
inline std::string safetensors_bytes(const std::string& header, const std::string& numbers) {
  std::string length;
  for (int byte = 0; byte < 8; ++byte)
    length += static_cast<char>(static_cast<unsigned long long>(header.size()) >> (8 * byte));
  return length + header + numbers;
}

}  // namespace gradual
