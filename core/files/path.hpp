// The names of files.
#pragma once

#include <filesystem>
#include <string>

namespace gradual {

/// The path of a name in UTF-8, which is how the library takes the names of files on every system.
inline std::filesystem::path path_of(const std::string& name) {
#ifdef _WIN32
  return std::filesystem::u8path(name);
#else
  return name;
#endif
}

/// The name of a path in UTF-8.
inline std::string name_of(const std::filesystem::path& path) {
  const auto name = path.u8string();  // of another type in C++20
  return {name.begin(), name.end()};
}

}  // namespace gradual
