// How the library says that something is wrong.
//
//   std::invalid_argument   a bad argument: shapes that do not fit, a probability of 2
//   std::logic_error        misuse: backward over a graph that was already released
//   gradual::FileError      a file that is missing, cut short, not ours, or cannot be written
//
// The text of each is `<operation>: <rule that was broken>: <names with values>[; hint]`.
#pragma once

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

namespace gradual {

/// A file that cannot be read or written. The message starts with the path and, where one is known, the line
/// or byte.
class FileError : public std::runtime_error {
 public:
  /// With the path first in its message.
  FileError(const std::string& path, const std::string& problem)
      : std::runtime_error(path + ": " + problem) {}

  /// A problem at a line, counted from 1: `corpus.tsv:17: no tab between source and target`.
  static FileError at_line(const std::string& path, std::int64_t line, const std::string& problem) {
    return {path + ":" + std::to_string(line), problem};
  }
  /// A problem at a byte, counted from 0: `model.safetensors: byte 512: the file ends inside tensor "w"`.
  static FileError at_byte(const std::string& path, std::int64_t byte, const std::string& problem) {
    return {path, "byte " + std::to_string(byte) + ": " + problem};
  }
};

/// Writes its arguments one after the other into a string: `text("a is ", shape, ", b is ", other)`.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Numbers with commas between them: `[2, 0, 1]`.
template <class Numbers>
std::string list_of(const Numbers& numbers) {
  std::ostringstream out;
  const char* separator = "";
  for (const auto& number : numbers) {
    out << separator << number;
    separator = ", ";
  }
  return "[" + out.str() + "]";
}

}  // namespace gradual
