#include <gradual/nn/drawing/svg.hpp>

#include <utility>

#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>

namespace gradual {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : readable_text(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

Svg::Svg(double width, double height, std::string_view css_class, std::string_view label) {
  open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
               {"class", "gradual " + std::string(css_class)},
               {"width", width},
               {"height", height},
               {"viewBox", "0 0 " + coordinate(width) + " " + coordinate(height)},
               {"role", "img"},
               {"aria-label", label}});
  out_ += picture_style();
  element("rect", {{"class", "paper"}, {"width", "100%"}, {"height", "100%"}, {"fill", "#fff"}});
}

void Svg::open(std::string_view name, Attributes attributes) {
  start(name, attributes);
  out_ += '>';
  open_.emplace_back(name);
}

void Svg::close() {
  out_ += "</" + open_.back() + ">";
  open_.pop_back();
}

void Svg::element(std::string_view name, Attributes attributes, std::string_view hover) {
  start(name, attributes);
  if (hover.empty()) {
    out_ += "/>";
    return;
  }
  out_ += '>';
  title(hover);
  out_ += "</" + std::string(name) + ">";
}

void Svg::text(double x, double y, std::string_view content, Attributes attributes, std::string_view hover) {
  start("text", attributes);
  out_ += " x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\">";
  if (!hover.empty()) title(hover);
  out_ += escaped(content) + "</text>";
}

std::string Svg::finish() {
  while (!open_.empty()) close();
  return std::move(out_);
}

std::string Svg::coordinate(double pixels) { return trimmed_text(pixels, 2); }

void Svg::start(std::string_view name, Attributes attributes) {
  out_ += '<';
  out_ += name;
  for (const Attribute& attribute : attributes) {
    out_ += ' ';
    out_ += attribute.name;
    out_ += "=\"" + attribute.value + '"';
  }
}

void Svg::title(std::string_view hover) { out_ += "<title>" + escaped(hover) + "</title>"; }

}  // namespace gradual
