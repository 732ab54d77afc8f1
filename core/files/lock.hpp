// Keeping a second process out.
#pragma once

#include <memory>
#include <string>

namespace gradual {

class SystemFile;

/// A folder that one process at a time holds by a file in it, from the constructor to the destructor or the
/// process's end, however it ends. The file stays, with the process's number in it; that does no harm, and to
/// delete it lets nobody in. A file system that knows no locks keeps nobody out.
class FileLock {
 public:
  /// Throws FileError with `problem` when another process holds the file, or when it cannot be made or is
  /// another kind of file.
  FileLock(const std::string& path, const std::string& problem);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  std::unique_ptr<SystemFile> file_, folder_;  // the folder, too: another file may take the name
};

}  // namespace gradual
