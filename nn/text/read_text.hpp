// A text that is one piece, as a language model learns it.
#pragma once

#include <string>

namespace gradual {

/// The content of a file. Throws FileError when it cannot be read, is empty, not valid UTF-8 (with the byte),
/// or has more than 2³⁰ bytes.
std::string read_text(const std::string& path);

}  // namespace gradual
