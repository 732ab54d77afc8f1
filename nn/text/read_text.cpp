#include <gradual/nn/text/read_text.hpp>

#include <filesystem>
#include <fstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {

std::string read_text(const std::string& path) {
  std::ifstream file(path_of(path), std::ios::binary);
  if (!file.is_open() || std::filesystem::is_directory(path_of(path)))
    throw FileError(path, "cannot be read");
  constexpr std::size_t longest = std::size_t(1) << 30;  // /dev/zero would fill the memory
  std::string content;
  for (char piece[1 << 16]; file.read(piece, sizeof piece), file.gcount() > 0;) {
    content.append(piece, static_cast<std::size_t>(file.gcount()));
    if (content.size() > longest)
      throw FileError(path, text("the text must have at most ", longest, " bytes"));
  }
  if (content.empty()) throw FileError(path, "the text is empty");
  if (const auto byte = first_invalid_byte(content)) throw FileError::at_byte(path, *byte, "not valid UTF-8");
  return content;
}

}  // namespace gradual
