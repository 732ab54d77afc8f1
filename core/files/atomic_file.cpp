#include <gradual/core/files/atomic_file.hpp>

#include <atomic>
#include <optional>
#include <system_error>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/core/files/system_file.hpp>

namespace gradual {
namespace {

namespace fs = std::filesystem;

/// A new file beside `target`, removed again unless it has taken the target's place.
class Replacement {
 public:
  explicit Replacement(const fs::path& target) : target_(target) {
    // The name is unique among processes and threads, so that two writers of one path cannot mix their bytes.
    // It may be taken all the same: a process of this number died here, or writes on another machine.
    static std::atomic<unsigned> number{0};
    while (!file_) {
      path_ = target;
      path_ += text(".", process_number(), "-", number++, ".tmp");
      try {
        file_.emplace(path_, SystemFile::Anew{});
      } catch (const std::system_error& error) {
        if (error.code() != std::errc::file_exists) throw;
      }
    }
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement() {
    file_.reset();
    std::error_code nobody_to_tell;
    if (!in_place_) fs::remove(path_, nobody_to_tell);
  }

  void write(std::string_view bytes) { file_->write(bytes); }

  void take_place() {
    if (fs::exists(target_)) fs::permissions(path_, fs::status(target_).permissions());
    file_->flush();
    file_.reset();  // Windows moves no open file
    fs::rename(path_, target_);
    in_place_ = true;
  }

 private:
  fs::path target_, path_;
  std::optional<SystemFile> file_;
  bool in_place_ = false;
};

/// What a step of writing a file gives, and a FileError for what goes wrong in it.
template <class Step>
auto step_of(const std::string& path, Step step) {
  try {
    return step();
  } catch (const std::system_error& error) {
    throw FileError(path, "cannot be written: " + error.code().message());
  }
}

}  // namespace

std::string replaced_file(const std::string& path) {
  return step_of(path, [&] {
    fs::path target = fs::weakly_canonical(fs::absolute(path_of(path)));
    while (fs::is_symlink(target))  // to what is not there yet: that has followed all others
      target = fs::weakly_canonical(target.parent_path() / fs::read_symlink(target));
    // A rename onto a device would replace it: for root, /dev/null would become an ordinary file.
    if (fs::exists(target) && !fs::is_regular_file(target))
      throw FileError(path, "cannot be written: not a regular file");
    return name_of(target);
  });
}

void write_file_atomically(const std::string& path, const std::function<void(const ByteSink&)>& fill) {
  const fs::path target = path_of(replaced_file(path));
  Replacement replacement = step_of(path, [&] { return Replacement(target); });
  fill([&](std::string_view bytes) { step_of(path, [&] { replacement.write(bytes); }); });
  step_of(path, [&] {
    replacement.take_place();
    flush_folder(target.parent_path());
  });
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  write_file_atomically(path, [&](const ByteSink& write) { write(bytes); });
}

}  // namespace gradual
