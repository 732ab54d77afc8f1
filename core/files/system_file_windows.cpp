#include <gradual/core/files/system_file.hpp>

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX  // which some standard libraries define
#define NOMINMAX
#endif
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace gradual {
namespace {

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

}  // namespace

long process_number() { return static_cast<long>(::GetCurrentProcessId()); }

void flush_folder(const std::filesystem::path&) {}  // NTFS keeps a journal of names

SystemFile::SystemFile(const std::filesystem::path& path)
    : file_(::_wopen(path.c_str(), _O_RDWR | _O_CREAT | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE)) {
  if (file_ < 0) fail();
}

SystemFile::SystemFile(const std::filesystem::path& path, Anew)
    : file_(::_wopen(path.c_str(), _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT,
                     _S_IREAD | _S_IWRITE)) {
  if (file_ < 0) fail();
}

SystemFile::~SystemFile() { ::_close(file_); }

std::string SystemFile::beginning(std::size_t most) const {
  std::string bytes;
  const std::int64_t place = ::_lseeki64(file_, 0, SEEK_CUR);
  ::_lseeki64(file_, 0, SEEK_SET);
  for (char piece[4096]; bytes.size() < most;) {
    const int count =
        ::_read(file_, piece, static_cast<unsigned>(std::min(sizeof piece, most - bytes.size())));
    if (count <= 0) break;
    bytes.append(piece, static_cast<std::size_t>(count));
  }
  ::_lseeki64(file_, place, SEEK_SET);
  return bytes;
}

void SystemFile::write(std::string_view bytes) {
  constexpr std::size_t most = 1 << 30;  // a call's count is an int
  while (!bytes.empty()) {
    const int count = ::_write(file_, bytes.data(), static_cast<unsigned>(std::min(bytes.size(), most)));
    if (count < 0) fail();
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void SystemFile::truncate() {
  if (const int problem = ::_chsize_s(file_, 0)) throw std::system_error(problem, std::generic_category());
}

void SystemFile::flush() {
  if (::_commit(file_) != 0) fail();
}

bool SystemFile::lock() {
  // Nobody can read what is locked, so it is a byte far behind all that the file holds.
  OVERLAPPED place{};
  place.OffsetHigh = 1 << 30;
  const auto file = reinterpret_cast<HANDLE>(::_get_osfhandle(file_));
  return ::LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) ||
         ::GetLastError() != ERROR_LOCK_VIOLATION;
}

}  // namespace gradual
