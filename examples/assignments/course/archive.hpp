// Zip files, and tars: those of others are read with care.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

struct ArchivedFile {
  std::string path;     // inside the archive
  std::string bytes;    // nothing where there is a problem
  std::string problem;  // why it was not taken: a link, a path that leads out, too large
};

/// What an archive may cost: a zip of a few kilobytes can hold as many gigabytes.
struct ArchiveLimits {
  std::size_t most_of_one = 1 << 20;     // bytes of a file
  std::size_t most_in_all = 256u << 20;  // bytes of all that is unpacked
  std::size_t most_files = 20000;
  std::size_t most_of_archive = 16u << 20;  // bytes of a file that is an archive itself
};

/// The end of a file's name in small letters, as ".zip".
std::string ending_of(const std::string& path);
/// Whether a file is one that read_archive reads, by its name.
bool is_archive(const std::string& path);

/// Hands on each file of an archive, given as its bytes; folders are passed over. `limits` gets smaller by
/// what was unpacked. Throws FileError, with `path`, for what is no archive, is damaged, encrypted, or larger
/// than the limits.
void read_archive(const std::string& bytes, const std::string& path, ArchiveLimits& limits,
                  const std::function<void(const ArchivedFile&)>& take);

/// A file that goes into a zip.
struct ZippedFile {
  std::string path, bytes;
  bool is_program = false;
};
/// A zip with the files in their order; the same files make the same bytes. Throws FileError.
void write_zip(const std::string& path, const std::vector<ZippedFile>& files);
