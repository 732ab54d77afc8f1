#include <gradual/nn/interchange/file_bytes.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>

namespace gradual {

std::string bytes_of_file(const std::string& path) {
  constexpr std::uintmax_t most = std::uintmax_t(256) << 20;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path_of(path), error);
  if (error) throw FileError(path, "cannot be read: " + error.message());
  if (size > most) throw FileError(path, text("must have at most ", most, " bytes: it has ", size));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream file(path_of(path), std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) throw FileError(path, "cannot be read");
  return bytes;
}

}  // namespace gradual
