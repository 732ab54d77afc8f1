#include <gradual/core/files/folder.hpp>

#include <filesystem>

#include <gradual/core/error.hpp>

namespace gradual {

void make_folder(const std::string& path) {
  std::error_code problem;
  std::filesystem::create_directories(path, problem);
  if (problem) throw FileError(path, "the folder cannot be made: " + problem.message());
}

}  // namespace gradual
