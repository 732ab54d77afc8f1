#include <gradual/core/files/system_file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace gradual {
namespace {

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

}  // namespace

long process_number() { return static_cast<long>(::getpid()); }

void flush_folder(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

SystemFile::SystemFile(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0 && errno == EISDIR) file_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file_ < 0) fail();
}

SystemFile::SystemFile(const std::filesystem::path& path, Anew)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail();
}

SystemFile::~SystemFile() { ::close(file_); }

std::string SystemFile::beginning(std::size_t most) const {
  std::string bytes;
  for (char piece[4096]; bytes.size() < most;) {
    const ssize_t count =
        ::pread(file_, piece, std::min(sizeof piece, most - bytes.size()), static_cast<off_t>(bytes.size()));
    if (count <= 0) break;
    bytes.append(piece, static_cast<std::size_t>(count));
  }
  return bytes;
}

void SystemFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) fail();
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void SystemFile::truncate() {
  if (::ftruncate(file_, 0) != 0) fail();
}

void SystemFile::flush() {
  if (::fsync(file_) != 0) fail();
}

bool SystemFile::lock() { return ::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

}  // namespace gradual
