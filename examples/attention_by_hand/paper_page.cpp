#include "paper_page.hpp"

#include <regex>
#include <sstream>
#include <utility>
#include <vector>

#include <examples/attention_by_hand/sheet.css.hpp>

#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>

using gradual::escaped;

namespace {

gradual::AttentionMap map_of(const Matrix& weights) {
  gradual::AttentionMap map{weights.row_names, weights.column_names, {}, ""};
  for (const Row& row : weights.rows) map.weights.insert(map.weights.end(), row.begin(), row.end());
  return map;
}

// What a terminal cannot write: W_Q and d_k with an index, e^1.5 with an exponent, the minus sign.
std::string typeset(const std::string& text) {
  static const std::vector<std::pair<std::regex, std::string>> rules = {
      {std::regex("\\b([Wd])_([A-Za-z])"), "$1<sub>$2</sub>"},
      {std::regex("e\\^\\(([^)]*)\\)"), "e<sup>$1</sup>"},
      {std::regex("e\\^([0-9.]+)"), "e<sup>$1</sup>"},
      {std::regex("-(?=[0-9 ]|∞)"), "−"},
      {std::regex("(^| )= "), "$1=\xC2\xA0"}};
  std::string html = escaped(text);
  for (const auto& [found, instead] : rules) html = std::regex_replace(html, found, instead);
  return html;
}

// The parts of a line, between which there are at least two spaces.
std::vector<std::string> parts_of(const std::string& line) {
  static const std::regex gap(" {2,}");
  return {std::sregex_token_iterator(line.begin(), line.end(), gap, -1), {}};
}

std::string table_html(const std::vector<std::string>& lines) {
  constexpr std::size_t margin = 2, label = 10;
  std::string html;
  for (const std::string& line : lines) {
    std::string name = line.substr(margin, label);
    name.erase(name.find_last_not_of(' ') + 1);
    const bool is_head = html.empty();
    html += is_head ? "<thead><tr>" : "<tr>";
    if (is_head)
      html += "<td>" + typeset(name) + "</td>";
    else
      html += "<th scope=\"row\">" + escaped(name) + "</th>";
    std::istringstream cells(line.substr(margin + label));
    for (std::string cell; cells >> cell;)
      html += is_head ? "<th scope=\"col\">" + escaped(cell) + "</th>" : "<td>" + typeset(cell) + "</td>";
    html += is_head ? "</tr></thead><tbody>\n" : "</tr>\n";
  }
  return "<div class=\"scroll\" tabindex=\"0\"><table class=\"sheet\">" + html + "</tbody></table></div>\n";
}

// "cats    query₁ = 1·0 + 0·2 = 0 + 0 = 0": for whom, how, and the result.
std::string calculation_html(const std::string& line) {
  const std::vector<std::string> parts = parts_of(line.substr(2));
  std::string who, how;
  for (const std::string& part : parts) {
    const std::size_t result = part.rfind(" = ");
    if (result != std::string::npos)
      how += typeset(part.substr(0, result)) + " <b>" + typeset(part.substr(result + 1)) + "</b> ";
    else
      (&part == &parts.back() ? how : who) += escaped(part) + " ";
  }
  return who.empty() ? "<tr><td colspan=\"2\">" + how + "</td></tr>\n"
                     : "<tr><th scope=\"row\">" + who + "</th><td>" + how + "</td></tr>\n";
}

// Lines without one between them that is empty: a table, or calculations.
std::string box_html(const std::vector<std::string>& lines) {
  bool calculates = false;
  for (const std::string& line : lines) calculates |= line.find(" = ") != std::string::npos;
  if (!calculates) return table_html(lines);
  std::string html;
  for (const std::string& line : lines) html += calculation_html(line);
  return "<table class=\"sheet lines\"><tbody>\n" + html + "</tbody></table>\n";
}

}  // namespace

std::string paper_page(const std::string& paper, const Matrix& weights) {
  gradual::Html html, words;
  html.markup("<style>\n" + std::string(gradual::embedded::sheet_css) + "</style>\n");
  html.heading(2, "Who looks at whom");
  html.paragraph(
      "What comes out of the steps below. Each word looks at those that it may see, and how much at "
      "each is a weight: a row of the map. The weights of a word sum to 1, or are 0 where it sees none.");
  for (std::size_t i = 0; i < weights.rows.size(); ++i)
    words.weighted_words("what \"" + weights.row_names[i] + "\" looks at", weights.column_names,
                         weights.rows[i]);
  html.markup("<div class=\"looks\">");
  html.pictures({draw_attention_map(map_of(weights))});
  html.markup("<div>" + words.str() + "</div></div>\n");
  html.heading(2, "The words, as numbers");
  std::istringstream text(paper + "\n");
  std::vector<std::string> lines;
  bool in_boxes = false;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) {
      lines.push_back(line);
      continue;
    }
    if (lines.empty()) continue;
    const bool is_box = lines.front().rfind("  ", 0) == 0;
    if (is_box != std::exchange(in_boxes, is_box))
      html.markup(is_box ? "<div class=\"tables paper\">\n" : "</div>\n");
    if (is_box) {
      html.markup(box_html(std::exchange(lines, {})));
      continue;
    }
    std::string part;
    for (const std::string& each : std::exchange(lines, {}))
      part += each.substr(each.find_first_not_of(' ')) + " ";
    const std::size_t name = part.find_first_of("0123456789") == 0 ? part.find(". ", 3) : 0;
    if (name > 0) html.heading(2, part.substr(0, name));
    if (part.size() > name + 2)
      html.markup("<p>" + typeset(part.substr(name == 0 ? 0 : name + 2)) + "</p>\n");
  }
  if (in_boxes) html.markup("</div>\n");
  return html_page("Attention, with a pencil", "every multiplication written out, and checked by the library",
                   html);
}
