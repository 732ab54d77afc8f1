// What POSIX promises of files: permissions, limits, pipes, symbolic links.
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "core/files/atomic_file.hpp"
#include "support/catch.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

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

}  // namespace

TEST_CASE("atomic file: an existing file that is replaced keeps its permissions") {
  const TestFolder folder;
  const std::string path = folder.write("file", "old");
  ::chmod(path.c_str(), 0640);
  write_file_atomically(path, "new");
  CHECK(content(path) == "new");
  CHECK((fs::status(path).permissions() & fs::perms::mask) == fs::perms(0640));
  CHECK(entries(folder) == 1);
}

TEST_CASE("atomic file: when the disk fills up the old file is whole and no other file is left") {
  const TestFolder folder;
  const std::string path = folder.write("model", "the last good one");
  std::string message;
  {
    const FileSizeLimit limit(1000);
    message = failure(path, std::string(100000, 'x'));
  }
  CHECK(message == path + ": cannot be written: File too large");
  CHECK(content(path) == "the last good one");
  CHECK(entries(folder) == 1);
}

TEST_CASE("atomic file: a file in place of the folder is an error") {
  const TestFolder folder;
  folder.write("file", "old");
  const std::string path = folder / "file/inside";
  CHECK(failure(path, "x") == path + ": cannot be written: Not a directory");
}

TEST_CASE("atomic file: a folder and a pipe are refused and stay what they are") {
  const TestFolder folder;
  fs::create_directory(folder / "sub");
  ::mkfifo((folder / "pipe").c_str(), 0600);
  CHECK(failure(folder / "sub", "x") == folder / "sub" + ": cannot be written: not a regular file");
  CHECK(failure(folder / "pipe", "x") == folder / "pipe" + ": cannot be written: not a regular file");
  CHECK(fs::is_directory(folder / "sub"));
  CHECK(fs::is_fifo(folder / "pipe"));
}

TEST_CASE("atomic file: a symbolic link is followed") {
  const TestFolder folder;
  folder.write("target", "old");
  fs::create_symlink("target", folder / "link");
  write_file_atomically(folder / "link", "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(content(folder / "target") == "new");
}

TEST_CASE("atomic file: a symbolic link to what is not there yet is followed, through others, too") {
  const TestFolder folder;
  fs::create_directory(folder / "sub");
  fs::create_symlink("sub/second", folder / "first");
  fs::create_symlink("target", folder / "sub/second");
  write_file_atomically(folder / "first", "new");
  CHECK(fs::is_symlink(folder / "first"));
  CHECK(fs::is_symlink(folder / "sub/second"));
  CHECK(content(folder / "sub/target") == "new");
  fs::create_symlink("round", folder / "circle");
  fs::create_symlink("circle", folder / "round");
  CHECK_THAT(failure(folder / "circle", "x"), Contains("Too many levels of symbolic links"));
}

TEST_CASE("atomic file: a folder that cannot be written is an error") {
  // /proc refuses new files to everyone; a folder without write permission would not stop root.
  if (!fs::exists("/proc/self")) return;
  CHECK_THROWS_AS(write_file_atomically("/proc/gradual", "x"), FileError);
}
