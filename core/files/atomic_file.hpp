// Writing a file so that a crash, a full disk or a kill never leaves half of one.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gradual {

/// The file whose place a new one at `path` takes, if it is there: symbolic links are followed. Throws
/// FileError for what is no regular file, such as a folder or a device.
std::string replaced_file(const std::string& path);

/// Replaces the file at `path` by `bytes`, wholly or not at all: they go to a new file in the same folder,
/// which is flushed to the disk and then takes the name of replaced_file(path). Throws FileError
/// when a step fails; what was at `path` before is then untouched.
void write_file_atomically(const std::string& path, std::string_view bytes);

/// Takes the next bytes of a file.
using ByteSink = std::function<void(std::string_view bytes)>;
/// The same for a file that is not whole in memory: `fill` hands its bytes piece by piece to the sink. What
/// `fill` throws passes through, and the old file stays.
void write_file_atomically(const std::string& path, const std::function<void(const ByteSink&)>& fill);

}  // namespace gradual
