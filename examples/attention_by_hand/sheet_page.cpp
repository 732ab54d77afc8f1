#include "sheet_page.hpp"

#include <examples/attention_by_hand/sheet.css.hpp>
#include <examples/attention_by_hand/sheet.js.hpp>

#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/svg.hpp>

using gradual::escaped, gradual::with_minus;

namespace {

// "{t1.0.2|0.53}" as the number alone.
std::string without_references(std::string text) {
  for (std::size_t at; (at = text.find('{')) != std::string::npos;) {
    text.erase(text.find('}', at), 1);
    text.erase(at, text.find('|', at) - at + 1);
  }
  return text;
}

std::string cell_html(const Table& table, std::size_t row, std::size_t column) {
  const Worked& cell = table.cells[row][column];
  std::string html = "<td";
  if (!cell.text.empty()) html += " data-sum=\"" + escaped(with_minus(cell.text)) + "\"";
  if (!cell.step.empty() && cell.step != without_references(cell.text))
    html += " data-step=\"" + escaped(with_minus(cell.step)) + "\"";
  return html + ">" + with_minus(table.shown(row, column)) + "</td>";
}

std::string table_html(const Table& table) {
  std::string html = "<div class=\"scroll\"><table class=\"sheet " + table.role + "\" role=\"grid\" id=\"" +
                     table.id + "\"><caption>" + escaped(table.name) + "</caption><thead><tr><td></td>";
  for (const std::string& name : table.column_names) html += "<th scope=\"col\">" + escaped(name) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < table.rows(); ++i) {
    html += "<tr><th scope=\"row\">" + escaped(table.row_names[i]) + "</th>";
    for (std::size_t j = 0; j < table.columns(); ++j) html += cell_html(table, i, j);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

// Rows of columns of tables.
std::string tables_html(const std::deque<Table>& tables) {
  std::string html;
  const Table* before = nullptr;
  for (const Table& table : tables) {
    const bool new_row = !before || before->at_row != table.at_row;
    if (new_row) html += std::string(before ? "</div></div>\n" : "") + "<div class=\"tables\"><div>\n";
    if (!new_row && before->at_column != table.at_column) html += "</div><div>\n";
    html += table_html(table);
    before = &table;
  }
  return html + "</div></div>\n";
}

}  // namespace

std::string sheet_page(const std::string& title, const std::string& subtitle, const Sheet& sheet) {
  gradual::Html html;
  html.markup("<style>\n" + std::string(gradual::embedded::sheet_css) + "</style>\n");
  html.paragraph(
      "Click a number, or reach a table by Tab and its numbers by the arrow keys: below stands how it comes "
      "about, and the numbers that it is made of are framed. Each of them opens in its turn. All results are "
      "rounded to three decimals before they are used further, so that a pencil gets the same digits; the "
      "weights, in tables with a dashed edge, were learned and then rounded to two.");
  for (const Section& section : sheet.sections()) {
    html.heading(section.heading[0] >= '1' && section.heading[0] <= '9' ? 2 : 3, section.heading);
    html.paragraph(section.text);
    html.markup(tables_html(section.tables));
  }
  html.markup("<a class=\"up\" href=\"#top\" aria-label=\"To the top of the page\">↑</a>\n");
  html.markup("<script>\n" + std::string(gradual::embedded::sheet_js) + "</script>\n");
  return gradual::html_page(title, subtitle, html);
}
