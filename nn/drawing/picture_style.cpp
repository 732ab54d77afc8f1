#include <nn/drawing/picture.css.hpp>

#include <gradual/nn/drawing/svg.hpp>

namespace gradual {

std::string_view picture_style() {
  static const std::string style = "<style>\n" + std::string(embedded::picture_css) + "</style>";
  return style;
}

}  // namespace gradual
