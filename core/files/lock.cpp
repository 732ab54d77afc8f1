#include <gradual/core/files/lock.hpp>

#include <algorithm>
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

std::unique_ptr<SystemFile> opened_folder_of(const std::string& path) {
  try {
    const std::filesystem::path folder = path_of(path).parent_path();
    return std::make_unique<SystemFile>(folder.empty() ? "." : folder);
  } catch (const std::system_error&) {
    return nullptr;
  }
}

}  // namespace

FileLock::FileLock(const std::string& path, const std::string& problem)
    : file_(opened(path)), folder_(opened_folder_of(path)) {
  if (!file_->lock() || (folder_ && !folder_->lock())) {
    const std::string owner = file_->beginning(32);
    throw FileError(path, problem + (owner.empty() ? "" : " (process " + owner + ")"));
  }
  const std::string before = file_->beginning(32);
  if (!std::all_of(before.begin(), before.end(), [](char c) { return (c >= '0' && c <= '9') || c == '\0'; }))
    throw FileError(path,
                    "would be lost: it holds something else than the number of a process; move it away");
  try {
    file_->truncate();
    file_->write(std::to_string(process_number()));
  } catch (const std::system_error&) {
    // The number is for people; the system knows the owner without it, and a full disk does not matter.
  }
}

FileLock::~FileLock() = default;

}  // namespace gradual
