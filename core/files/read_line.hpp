// Lines of text files.
#pragma once

#include <cstdint>
#include <fstream>
#include <istream>
#include <string>

namespace gradual {

/// The longest line that is read, in bytes: a file without line breaks, such as /dev/zero, would fill the
/// memory.
constexpr std::size_t longest_line = std::size_t(16) << 20;

/// A file to read lines from; throws FileError with the system's reason where it cannot be opened.
std::ifstream open_lines(const std::string& path);

/// As std::getline, but throws FileError, in the name of line `number` of `path`, for one that is longer.
std::istream& read_line(std::istream& lines, std::string& line, const std::string& path, std::int64_t number);

}  // namespace gradual
