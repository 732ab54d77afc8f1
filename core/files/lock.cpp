#include <gradual/core/files/lock.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

std::string content(int file) {
  char bytes[32];
  const ssize_t count = ::pread(file, bytes, sizeof bytes, 0);
  return {bytes, static_cast<std::size_t>(count > 0 ? count : 0)};
}

}  // namespace

FileLock::FileLock(const std::string& path, const std::string& problem)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) throw FileError(path, text("cannot be written: ", std::strerror(errno)));
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    const std::string owner = content(file_);
    ::close(file_);
    throw FileError(path, problem + (owner.empty() ? "" : " (process " + owner + ")"));
  }
  // For people: the kernel knows the owner without it, and a full disk does not matter.
  const std::string number = std::to_string(::getpid());
  if (::ftruncate(file_, 0) == 0 && ::pwrite(file_, number.data(), number.size(), 0) < 0) errno = 0;
}

FileLock::~FileLock() { ::close(file_); }

}  // namespace gradual
