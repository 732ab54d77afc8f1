// Writing a file so that a crash, a full disk or a kill never leaves half of one.
#pragma once

#include <string>
#include <string_view>

namespace gradual {

/// Replaces the file at `path` by `bytes`, wholly or not at all: they go to a new file in the same folder,
/// which is flushed to the disk and then takes the name `path`. A symbolic link is followed. Throws FileError
/// when a step fails; what was at `path` before is then untouched.
void write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace gradual
