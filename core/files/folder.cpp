#include <gradual/core/files/folder.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>

namespace gradual {

void make_folder(const std::string& path) {
  std::error_code problem;
  std::filesystem::create_directories(path_of(path), problem);
  if (problem) throw FileError(path, "the folder cannot be made: " + problem.message());
}

}  // namespace gradual
