// What the tests of atomic files share, on every system and on POSIX alone.
#pragma once

#include <filesystem>
#include <iterator>
#include <string>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>

#include "support/files.hpp"

namespace gradual {

/// How many files lie in a folder.
inline std::ptrdiff_t entries(const TestFolder& folder) {
  return std::distance(std::filesystem::directory_iterator(path_of(folder / "")),
                       std::filesystem::directory_iterator());
}

/// What write_file_atomically complains about.
inline std::string failure(const std::string& path, const std::string& bytes) {
  return message_of<FileError>([&] { write_file_atomically(path, bytes); });
}

}  // namespace gradual
