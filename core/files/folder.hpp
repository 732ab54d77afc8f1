// Folders for results.
#pragma once

#include <string>

namespace gradual {

/// Makes a folder and those that it lies in, where they are not there yet. Throws FileError.
void make_folder(const std::string& path);

}  // namespace gradual
