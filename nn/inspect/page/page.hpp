// A whole page in one file.
#pragma once

#include <string>
#include <string_view>

#include <gradual/nn/inspect/page/html.hpp>

namespace gradual {

/// A complete HTML document that needs no network and no other file: readable from phone to desktop, light or
/// dark as the reader's system is, with and without scripts. Write it with write_file_atomically
/// (core/files/atomic_file.hpp).
std::string html_page(std::string_view title, std::string_view subtitle, const Html& content);

}  // namespace gradual
