// What files need of the operating system beyond the standard library, in system_file_posix.cpp and
// system_file_windows.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gradual {

/// The number of this process.
long process_number();

/// Lets the names in a folder survive a power cut, where the file system can.
void flush_folder(const std::filesystem::path& folder);

/// A file that is open for reading and writing, and that programs started from here do not inherit. What goes
/// wrong throws std::system_error with the code of errno.
class SystemFile {
 public:
  /// Opens the file, and makes it where it is not there. A folder can be opened to be locked, but for
  /// Windows, where nobody deletes a file that is open.
  explicit SystemFile(const std::filesystem::path& path);
  /// Makes a file that is not there: where there is one of this name, or a link, that is
  /// std::errc::file_exists.
  struct Anew {};
  SystemFile(const std::filesystem::path& path, Anew);
  SystemFile(const SystemFile&) = delete;
  SystemFile& operator=(const SystemFile&) = delete;
  ~SystemFile();

  /// The first bytes, at most `most` of them; none where it cannot be read.
  std::string beginning(std::size_t most) const;
  void write(std::string_view bytes);  ///< after what was written before
  void truncate();                     ///< to no bytes at all
  void flush();                        ///< to the disk

  /// Keeps other processes' locks out until it is closed: false when one has the file already. A file system
  /// that knows no locks says true.
  bool lock();

 private:
  int file_;
};

}  // namespace gradual
