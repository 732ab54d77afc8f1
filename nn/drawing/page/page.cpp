#include <gradual/nn/drawing/page/page.hpp>

#include <nn/drawing/page/page.css.hpp>
#include <nn/drawing/page/page.js.hpp>

#include <gradual/nn/drawing/svg.hpp>

namespace gradual {

std::string_view page_style() {
  static const std::string style = "<style>\n" + std::string(embedded::page_css) + "</style>";
  return style;
}

std::string_view page_script() {
  static const std::string script = "<script>\n" + std::string(embedded::page_js) + "</script>";
  return script;
}

std::string html_page(std::string_view title, std::string_view subtitle, const Html& content) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += "<title>" + escaped(title) + "</title>\n";
  html += page_style();
  html += picture_style();
  html += "\n</head>\n<body>\n<main>\n<header><h1>" + escaped(title) + "</h1>";
  if (!subtitle.empty()) html += "<p>" + escaped(subtitle) + "</p>";
  if (content.section_count() > 3)
    html += "<nav aria-label=\"Sections\">" + content.links_to_sections() + "</nav>";
  html += "</header>\n" + content.str() + "</main>\n";
  html += page_script();
  return html + "\n</body>\n</html>\n";
}

}  // namespace gradual
