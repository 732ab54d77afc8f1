#include <gradual/core/files/lock.hpp>

#include <memory>
#include <system_error>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/core/files/system_file.hpp>

namespace gradual {
namespace {

std::unique_ptr<SystemFile> opened(const std::string& path) {
  try {
    return std::make_unique<SystemFile>(path_of(path));
  } catch (const std::system_error& error) {
    throw FileError(path, "cannot be written: " + error.code().message());
  }
}

}  // namespace

FileLock::FileLock(const std::string& path, const std::string& problem) : file_(opened(path)) {
  if (!file_->lock()) {
    const std::string owner = file_->beginning(32);
    throw FileError(path, problem + (owner.empty() ? "" : " (process " + owner + ")"));
  }
  try {
    file_->truncate();
    file_->write(std::to_string(process_number()));
  } catch (const std::system_error&) {
    // The number is for people; the system knows the owner without it, and a full disk does not matter.
  }
}

FileLock::~FileLock() = default;

}  // namespace gradual
