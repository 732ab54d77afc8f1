// A whole page in one file.
#pragma once

#include <string>
#include <string_view>

#include <gradual/nn/drawing/page/html.hpp>

namespace gradual {

/// A complete HTML document that needs no network and no other file: readable from phone to desktop, light or
/// dark as the reader's system is, with and without scripts. More than three sections are linked to at its
/// head. Write it with write_file_atomically (core/files/atomic_file.hpp).
std::string html_page(std::string_view title, std::string_view subtitle, const Html& content);

/// The style sheet (page.css) and the script (page.js) of each page, with their tags. The style names only
/// the system's own fonts and one accent colour, and pictures take their colours from its properties. The
/// script turns what Html::choices made into choosers and shows the values of pictures beside the pointer;
/// the page is whole without it. To content that is added later, `gradual.enhance(element)` does the same.
std::string_view page_style();
std::string_view page_script();

}  // namespace gradual
