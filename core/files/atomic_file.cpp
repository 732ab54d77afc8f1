#include <gradual/core/files/atomic_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

namespace fs = std::filesystem;

/// Throws the reason for which the last system call failed.
[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

/// A new file beside `target`, removed again unless it has taken the target's place.
class Replacement {
 public:
  explicit Replacement(const std::string& target) : target_(target) {
    // The name is unique among processes and threads, so that two writers of one path cannot mix their bytes.
    static std::atomic<unsigned> number{0};
    path_ = text(target, ".", ::getpid(), "-", number++, ".tmp");
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail();
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement() {
    ::close(file_);
    if (!in_place_) ::unlink(path_.c_str());
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(file_, bytes.data(), bytes.size());
      if (count < 0 && errno != EINTR) fail();
      if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void take_place() {
    struct stat old {};
    if (::stat(target_.c_str(), &old) == 0 && ::fchmod(file_, old.st_mode & 07777) != 0) fail();
    if (::fsync(file_) != 0) fail();
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail();
    in_place_ = true;
  }

 private:
  std::string target_;
  std::string path_;
  int file_ = -1;
  bool in_place_ = false;
};

/// Makes the new name survive a power cut too. Some file systems cannot; the file is whole all the same.
void flush_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

}  // namespace

void write_file_atomically(const std::string& path, const std::function<void(const ByteSink&)>& fill) {
  try {
    const fs::path target = fs::weakly_canonical(fs::absolute(path));
    // A rename onto a device would replace it: for root, /dev/null would become an ordinary file.
    if (fs::exists(target) && !fs::is_regular_file(target)) {
      throw FileError(path, "cannot be written: not a regular file");
    }
    Replacement replacement(target.string());
    fill([&](std::string_view bytes) { replacement.write(bytes); });
    replacement.take_place();
    flush_folder(target.parent_path());
  } catch (const std::system_error& error) {
    throw FileError(path, "cannot be written: " + error.code().message());
  }
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  write_file_atomically(path, [&](const ByteSink& write) { write(bytes); });
}

}  // namespace gradual
