// Lines from a file or a pipe, or from a person, who gets a prompt and a history of what was typed before.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

class LineReader {
 public:
  /// From a file, or from standard input where `path` is empty. Throws gradual::FileError.
  explicit LineReader(const std::string& path);
  /// Whether a person is typing.
  bool interactive() const { return interactive_; }
  /// The next line; a person goes on in a new line after a \\ at the end. Nothing at the end of the text.
  /// Throws gradual::FileError for a file that cannot be read, such as a folder.
  std::optional<std::string> next();

 private:
  std::optional<std::string> read(const char* prompt);

  std::string path_;
  std::ifstream file_;
  bool interactive_;
  std::int64_t number_ = 0;  // of the line
};
