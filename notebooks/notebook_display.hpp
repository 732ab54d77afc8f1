// Pictures under a cell. A header of its own, since a kernel's display takes a second to read (its messages
// are JSON): notebooks include it right before their first picture.
#pragma once

#include <iostream>
#include <string>

#if __has_include(<xcpp/xdisplay.hpp>)
#include <nlohmann/json.hpp>
#include <xcpp/xdisplay.hpp>

namespace gradual {

struct Picture {
  std::string svg;
};

inline nlohmann::json mime_bundle_repr(const Picture& picture) { return {{"text/html", picture.svg}}; }

/// Shows a picture, an SVG, under the cell.
inline void show(const std::string& /*name*/, const std::string& svg) { xcpp::display(Picture{svg}); }

}  // namespace gradual

#else
namespace gradual {

/// Writes a picture, an SVG, to the output, between two bytes 29 (group separator) and after a line with its
/// name, so that a test can compare it with docs/chapters/figures/<name>.svg.
inline void show(const std::string& name, const std::string& svg) {
  std::cout << '\035' << name << '\n' << svg << '\035' << std::flush;
}

}  // namespace gradual
#endif
