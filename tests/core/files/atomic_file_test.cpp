#include <gradual/core/files/atomic_file.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

/// An empty folder that disappears with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("gradual-atomic-file-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const char* name) const { return (path_ / name).string(); }
  std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  fs::path path_;
};

/// Lets no file of this process grow beyond `bytes`, which to a writer looks like a disk that fills up.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string failure(const std::string& path, const std::string& bytes) {
  try {
    write_file_atomically(path, bytes);
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("atomic file: a new file holds the given bytes, zeros and line ends included") {
  const Folder folder;
  const std::string bytes("a\0b\r\n\xff", 6);
  write_file_atomically(folder / "new", bytes);
  CHECK(content(folder / "new") == bytes);
  CHECK(folder.entries() == 1);
}

TEST_CASE("atomic file: an existing file is replaced, whether longer or shorter, and keeps its permissions") {
  const Folder folder;
  const std::string path = folder / "file";
  write(path, "something long");
  ::chmod(path.c_str(), 0640);
  write_file_atomically(path, "short");
  CHECK(content(path) == "short");
  write_file_atomically(path, "");
  CHECK(fs::file_size(path) == 0);
  CHECK((fs::status(path).permissions() & fs::perms::mask) == fs::perms(0640));
  CHECK(folder.entries() == 1);
}

TEST_CASE("atomic file: when the disk fills up the old file is whole and no other file is left") {
  const Folder folder;
  const std::string path = folder / "model";
  write(path, "the last good one");
  std::string message;
  {
    const FileSizeLimit limit(1000);
    message = failure(path, std::string(100000, 'x'));
  }
  CHECK(message == path + ": cannot be written: File too large");
  CHECK(content(path) == "the last good one");
  CHECK(folder.entries() == 1);
}

TEST_CASE("atomic file: a folder that does not exist is named in the error") {
  const Folder folder;
  const std::string path = folder / "missing/file";
  CHECK(failure(path, "x") == path + ": cannot be written: No such file or directory");
}

TEST_CASE("atomic file: a file in place of the folder is an error") {
  const Folder folder;
  write(folder / "file", "old");
  const std::string path = folder / "file/inside";
  CHECK(failure(path, "x") == path + ": cannot be written: Not a directory");
}

TEST_CASE("atomic file: a folder that cannot be written is an error") {
  // /proc refuses new files to everyone; a folder without write permission would not stop root.
  if (!fs::exists("/proc/self")) return;
  CHECK_THROWS_AS(write_file_atomically("/proc/gradual", "x"), FileError);
}

TEST_CASE("atomic file: a folder and a pipe are refused and stay what they are") {
  const Folder folder;
  fs::create_directory(folder / "sub");
  ::mkfifo((folder / "pipe").c_str(), 0600);
  CHECK(failure(folder / "sub", "x") == folder / "sub" + ": cannot be written: not a regular file");
  CHECK(failure(folder / "pipe", "x") == folder / "pipe" + ": cannot be written: not a regular file");
  CHECK(fs::is_directory(folder / "sub"));
  CHECK(fs::is_fifo(folder / "pipe"));
}

TEST_CASE("atomic file: an empty path is an error") {
  CHECK_THROWS_AS(write_file_atomically("", "x"), FileError);
}

TEST_CASE("atomic file: a symbolic link is followed") {
  const Folder folder;
  write(folder / "target", "old");
  fs::create_symlink("target", folder / "link");
  write_file_atomically(folder / "link", "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(content(folder / "target") == "new");
}

TEST_CASE("atomic file: a relative path is relative to the working folder") {
  const Folder folder;
  const fs::path before = fs::current_path();
  fs::current_path(fs::path(folder / "."));
  write_file_atomically("here", "x");
  fs::current_path(before);
  CHECK(content(folder / "here") == "x");
}

TEST_CASE("atomic file: bytes that are handed over in pieces follow each other") {
  const Folder folder;
  write_file_atomically(folder / "file", [](const ByteSink& write) {
    write("one");
    write("");
    write("two");
  });
  CHECK(content(folder / "file") == "onetwo");
}

TEST_CASE("atomic file: an exception on the way leaves the old file and no other") {
  const Folder folder;
  write(folder / "file", "old");
  const auto fail_half_way = [](const ByteSink& sink) {
    sink("new");
    throw std::runtime_error("half way");
  };
  CHECK_THROWS_WITH(write_file_atomically(folder / "file", fail_half_way), "half way");
  CHECK(content(folder / "file") == "old");
  CHECK(folder.entries() == 1);
}
