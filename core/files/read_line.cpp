#include <gradual/core/files/read_line.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>

namespace gradual {

std::ifstream open_lines(const std::string& path) {
  std::ifstream file(path_of(path), std::ios::binary);
  if (!file) throw FileError(path, text("cannot be read: ", std::strerror(errno)));
  std::error_code unknown;
  if (std::filesystem::is_directory(path_of(path), unknown))
    throw FileError(path, text("cannot be read: ", std::strerror(EISDIR)));
  return file;
}

std::istream& read_line(std::istream& lines, std::string& line, const std::string& path,
                        std::int64_t number) {
  line.clear();
  const std::istream::sentry ready(lines, true);
  if (!ready) return lines;
  auto state = std::ios::goodbit;
  try {
    std::streambuf& bytes = *lines.rdbuf();
    for (int byte = bytes.sbumpc(); byte != '\n'; byte = bytes.sbumpc()) {
      if (byte == std::char_traits<char>::eof()) {
        state = line.empty() ? std::ios::eofbit | std::ios::failbit : std::ios::eofbit;
        break;
      }
      if (line.size() == longest_line)
        throw FileError::at_line(path, number, text("a line must have at most ", longest_line, " bytes"));
      line += static_cast<char>(byte);
    }
  } catch (const FileError&) {
    throw;
  } catch (...) {  // what a file's buffer throws where it cannot be read
    state = std::ios::badbit;
  }
  lines.setstate(state);
  return lines;
}

}  // namespace gradual
