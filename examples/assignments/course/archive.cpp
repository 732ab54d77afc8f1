#include "archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include <gradual/core/error.hpp>

using namespace gradual;
namespace fs = std::filesystem;

namespace {

std::string said_by(archive* a) {
  const char* message = archive_error_string(a);
  return message ? message : "no reason is known";
}

std::string problem_of(archive_entry* entry, const std::string& name) {
  if (archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry)) return "is a link";
  if (archive_entry_filetype(entry) != AE_IFREG) return "is no file";
  const fs::path path(name);
  if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end() ||
      name.find('\\') != std::string::npos)
    return "has a path that leads elsewhere";
  return "";
}

// While it lives, names are UTF-8 for libarchive, which reads those of zips by the locale: in that of C,
// which programs begin with, a name with an umlaut is none.
class NamesInUtf8 {
 public:
  NamesInUtf8() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_) before_ = uselocale(locale_);
  }
  ~NamesInUtf8() {
    if (!locale_) return;
    uselocale(before_);
    freelocale(locale_);
  }
  NamesInUtf8(const NamesInUtf8&) = delete;
  NamesInUtf8& operator=(const NamesInUtf8&) = delete;

 private:
  locale_t locale_, before_ = nullptr;
};

}  // namespace

std::string ending_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

bool is_archive(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".zip" || ending == ".tar" || ending == ".tgz" || ending == ".gz";
}

void read_archive(const std::string& bytes, const std::string& path, ArchiveLimits& limits,
                  const std::function<void(const ArchivedFile&)>& take) {
  const NamesInUtf8 names_in_utf8;
  const std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(), archive_read_free);
  archive* const a = reader.get();
  archive_read_support_format_zip(a);
  archive_read_support_format_tar(a);
  archive_read_support_filter_gzip(a);
  if (archive_read_open_memory(a, bytes.data(), bytes.size()) != ARCHIVE_OK)
    throw FileError(path, "is no archive: " + said_by(a));
  while (true) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(a, &entry);
    if (status == ARCHIVE_EOF) return;
    if (status < ARCHIVE_WARN) throw FileError(path, "is damaged: " + said_by(a));
    const char* const name = archive_entry_pathname_utf8(entry) ? archive_entry_pathname_utf8(entry)
                                                                : archive_entry_pathname(entry);
    ArchivedFile file{name ? name : "a file without a name", "", ""};
    if (archive_entry_filetype(entry) == AE_IFDIR) continue;
    if (limits.most_files == 0) throw FileError(path, "holds more files than is taken");
    --limits.most_files;
    if (archive_entry_is_encrypted(entry)) throw FileError(path, "is encrypted");
    file.problem = problem_of(entry, file.path);
    const std::size_t most = is_archive(file.path) ? limits.most_of_archive : limits.most_of_one;
    char piece[1 << 16];
    while (file.problem.empty()) {
      const auto count = archive_read_data(a, piece, sizeof piece);
      if (count < 0) throw FileError(path, "is damaged: " + said_by(a));
      if (count == 0) break;
      file.bytes.append(piece, static_cast<std::size_t>(count));
      if (static_cast<std::size_t>(count) > limits.most_in_all)
        throw FileError(path, "unpacks to more than is taken: a zip bomb?");
      limits.most_in_all -= static_cast<std::size_t>(count);
      if (file.bytes.size() > most) file.problem = "is too large for a submission";
    }
    if (!file.problem.empty()) file.bytes.clear();
    take(file);
  }
}

void write_zip(const std::string& path, const std::vector<ZippedFile>& files) {
  const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(),
                                                                       archive_write_free);
  archive* const a = writer.get();
  const auto check = [&](int status) {
    if (status != ARCHIVE_OK) throw FileError(path, "cannot be written: " + said_by(a));
  };
  check(archive_write_set_format_zip(a));
  check(archive_write_open_filename(a, path.c_str()));
  for (const ZippedFile& file : files) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                              archive_entry_free);
    archive_entry_set_pathname(entry.get(), file.path.c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.bytes.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), file.is_program ? 0755 : 0644);
    archive_entry_set_mtime(entry.get(), 1577836800, 0);  // 2020: the same files make the same zip
    check(archive_write_header(a, entry.get()));
    if (archive_write_data(a, file.bytes.data(), file.bytes.size()) !=
        static_cast<la_ssize_t>(file.bytes.size()))
      throw FileError(path, "cannot be written: " + said_by(a));
  }
  check(archive_write_close(a));
}
