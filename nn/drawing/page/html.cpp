#include <gradual/nn/drawing/page/html.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

std::string element(std::string_view name, std::string_view content) {
  return text("<", name, ">", escaped(content), "</", name, ">");
}

/// Text with each ✓ in the colour of what is right, and each ✗ in that of what is wrong.
std::string with_marks(std::string_view words) {
  std::string result = escaped(words);
  for (const auto& [mark, css_class] : {std::pair("✓", "right"), std::pair("✗", "wrong")}) {
    const std::string coloured = text("<span class=\"", css_class, "\">", mark, "</span>");
    for (auto at = result.find(mark); at != std::string::npos; at = result.find(mark, at + coloured.size()))
      result.replace(at, std::string_view(mark).size(), coloured);
  }
  return result;
}

/// A picture, or several, without their own style sheets, which the page has once for all of them.
std::string bare(std::string_view svg) {
  std::string result(svg);
  const std::string_view style = picture_style();
  for (std::size_t at; (at = result.find(style)) != std::string::npos;) result.erase(at, style.size());
  return result;
}

double width_of(std::string_view svg) {
  constexpr std::string_view width = " width=\"";
  const std::size_t at = svg.find(width);
  return at == std::string_view::npos ? 0 : std::atof(std::string(svg.substr(at + width.size(), 8)).c_str());
}

bool has_map(std::string_view svgs) { return svgs.find("class=\"gradual map\"") != std::string_view::npos; }

/// The name of pictures, and what the tints of attention maps mean, where there is one among them.
std::string scale_of(std::string_view svgs, std::string_view name = {}) {
  const std::string scale = (name.empty() ? "" : element("h4", name)) +
                            (has_map(svgs) ? "weight 0 <i class=\"gradual\"></i> 1" : "");
  return scale.empty() ? "" : "<div class=\"scale\">" + scale + "</div>";
}

/// The space between a number and its % or °C as one at which no line ends.
std::string with_units_kept(std::string_view words) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view next = words.substr(i + 1);
    const bool before_unit = next.substr(0, 1) == "%" || next.substr(0, 2) == "°";
    if (words[i] == ' ' && i > 0 && words[i - 1] >= '0' && words[i - 1] <= '9' && before_unit)
      result += "\xC2\xA0";
    else
      result += words[i];
  }
  return result;
}

/// In a box of its own. A phone makes a picture that is a little wider than it smaller, and scrolls others.
std::string scrolling(std::string_view svg) {
  constexpr double a_little_wider = 460;
  const double width = width_of(svg);
  return text("<div class=\"scroll", width > 0 && width <= a_little_wider ? " fits" : "",
              "\" style=\"--width:", width, "\" tabindex=\"0\">", bare(svg), "</div>");
}

std::string in_size(LineChart chart, int width, int height) {
  chart.width = width;
  chart.height = height;
  return bare(draw_line_chart(chart));
}

std::string figure(const std::string& content, std::string_view caption) {
  return "<figure>" + content + (caption.empty() ? "" : element("figcaption", caption)) + "</figure>\n";
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string pairs_list(std::string_view css_class, const Pairs& pairs) {
  std::string html = text("<dl class=\"", css_class, "\">");
  for (const auto& [name, value] : pairs)
    html += "<div>" + element("dt", name) + "<dd>" + with_marks(value) + "</dd></div>";
  return html + "</dl>\n";
}

std::string mark(bool right) {
  return right ? "<td class=\"mark right\" title=\"right\">✓</td>"
               : "<td class=\"mark wrong\" title=\"wrong\">✗</td>";
}

void check_table(std::size_t columns, const std::vector<std::vector<std::string>>& rows, std::size_t marks,
                 std::size_t pictures) {
  if (pictures != 0 && pictures != rows.size()) {
    throw std::invalid_argument(text("table: there must be a picture for each row, or none: ", rows.size(),
                                     " rows, ", pictures, " pictures"));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].size() != columns) {
      throw std::invalid_argument(text("table: each row must have a cell for each column: row ", r + 1,
                                       " has ", rows[r].size(), " cells, there are ", columns, " columns"));
    }
  }
  if (marks != 0 && marks != rows.size()) {
    throw std::invalid_argument(
        text("table: there must be a mark for each row, or none: ", rows.size(), " rows, ", marks, " marks"));
  }
}

/// 0.97, 0.012, < 0.001
std::string share_text(double share) {
  if (share < 0.001) return "< 0.001";
  return fixed_text(share, share < 0.0995 ? 3 : 2);
}

/// "12", "-0.8", "3.1 MiB": a number, with a short unit or without.
bool is_number(const std::string& cell) {
  constexpr std::size_t longest_unit = 4;
  const auto is_digit = [&](std::size_t at) {
    return at < cell.size() && cell[at] >= '0' && cell[at] <= '9';
  };
  if (!is_digit(cell.front() == '-' ? 1 : 0)) return false;
  const std::size_t end = cell.find_first_not_of("0123456789.,e-");
  if (end == std::string::npos) return true;
  return cell[end] == ' ' && cell.size() - end - 1 <= longest_unit && !is_digit(end + 1) &&
         cell.find(' ', end + 1) == std::string::npos;
}

/// What a column holds: numbers, words of a few letters, or more; the class of its cells.
std::vector<std::string> kinds_of_columns(std::size_t columns,
                                          const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> kinds;
  for (std::size_t c = 0; c < columns; ++c) {
    const auto all = [&](auto holds) {
      return std::all_of(rows.begin(), rows.end(),
                         [&](const auto& row) { return row[c].empty() || holds(row[c]); });
    };
    const bool is_empty = all([](const std::string&) { return false; });
    kinds.emplace_back(!is_empty && all(is_number)                                     ? "number"
                       : all([](const std::string& cell) { return cell.size() <= 8; }) ? ""
                                                                                       : "long");
  }
  return kinds;
}

std::string class_of(const std::string& kind) { return kind.empty() ? "" : " class=\"" + kind + "\""; }

/// A cell, with what stands below its first line and says more of it; that line names the row where it is the
/// first.
std::string cell_content(const std::string& cell, bool is_name) {
  const std::size_t line = cell.find('\n');
  if (line == std::string::npos) return escaped(cell);
  const std::string first = escaped(cell.substr(0, line));
  return (is_name ? "<b>" + first + "</b>" : first) + "<small>" + escaped(cell.substr(line + 1)) + "</small>";
}

std::size_t longest_word(const std::string& words) {
  std::size_t longest = 0;
  std::istringstream each(words);
  for (std::string word; each >> word;) longest = std::max(longest, word.size());
  return longest;
}

/// Whether a phone has room for the columns beside one another: short cells and the words of titles stay
/// whole.
bool has_room(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows,
              const std::vector<std::string>& kinds) {
  constexpr std::size_t on_a_phone = 45, padding = 4, broken = 13;  // letters
  std::size_t letters = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const bool is_long = kinds[c] == "long";
    std::size_t widest = std::max(longest_word(columns[c]), is_long ? broken : 0);
    for (const auto& row : rows) widest = std::max(widest, is_long ? 0 : row[c].size());
    letters += widest + padding;
  }
  return columns.size() <= 5 && std::count(kinds.begin(), kinds.end(), "long") <= 1 && letters <= on_a_phone;
}

/// What a phone makes of a table: one that fits, one that scrolls sideways behind the names of its rows, or a
/// block for each row where cells hold sentences or rows are marked.
const char* kind_of_table(const std::vector<std::string>& columns,
                          const std::vector<std::vector<std::string>>& rows,
                          const std::vector<std::string>& kinds, bool is_marked) {
  constexpr std::size_t longest_figure = 16;  // "31.2 ± 1.0 %"
  if (has_room(columns, rows, kinds)) return "compact";
  const bool has_figures = std::all_of(rows.begin(), rows.end(), [](const auto& row) {
    return std::all_of(row.begin() + 1, row.end(),
                       [](const std::string& cell) { return cell.size() <= longest_figure; });
  });
  return has_figures && !is_marked ? "sideways" : "blocks";
}

/// The titles of columns that have one, for those who do not see the table.
std::string label_of(const std::vector<std::string>& columns) {
  std::string label;
  for (const std::string& each : columns)
    if (!each.empty()) label += (label.empty() ? "table: " : ", ") + each;
  return label.empty() ? "table" : label;
}

}  // namespace

Html& Html::heading(int level, std::string_view text) {
  if (level != 2) {
    html_ += gradual::text("<h", level, ">", with_marks(text), "</h", level, ">\n");
    return *this;
  }
  sections_.emplace_back(text);
  html_ += gradual::text("<h2 id=\"section-", sections_.size(), "\">", escaped(text), "</h2>\n");
  return *this;
}

std::string Html::links_to_sections() const {
  std::string links;
  for (std::size_t i = 0; i < sections_.size(); ++i)
    links += text("<a href=\"#section-", i + 1, "\">",
                  escaped(sections_[i].substr(0, sections_[i].find(": "))), "</a>\n");
  return links;
}

Html& Html::paragraph(std::string_view text) {
  html_ += element("p", with_units_kept(text)) + "\n";
  return *this;
}

Html& Html::answer(std::string_view text) {
  if (!text.empty()) html_ += "<p class=\"answer\">" + escaped(with_units_kept(text)) + "</p>\n";
  return *this;
}

Html& Html::key_values(const std::vector<std::pair<std::string, std::string>>& pairs) {
  html_ += pairs_list("settings", pairs);
  return *this;
}

Html& Html::terms(const std::vector<std::pair<std::string, std::string>>& meanings) {
  html_ += pairs_list("terms", meanings);
  return *this;
}

Html& Html::figures(const std::vector<std::pair<std::string, std::string>>& pairs) {
  html_ += pairs_list("figures", pairs);
  return *this;
}

Html& Html::table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows,
                  const std::vector<bool>& marks, const TableRows& look) {
  const std::vector<std::string>& svgs = look.pictures;
  const std::size_t cells = columns.size() - (svgs.empty() ? 0 : 1);
  check_table(cells, rows, marks.size(), svgs.size());
  std::vector<std::string> kinds = kinds_of_columns(cells, rows);
  html_ +=
      text("<div class=\"scroll table\" tabindex=\"0\" role=\"region\" aria-label=\"",
           escaped(label_of(columns)), "\"><table class=\"",
           svgs.empty() ? kind_of_table(columns, rows, kinds, !marks.empty()) : "blocks", "\"><thead><tr>");
  kinds.emplace_back("long");  // of pictures
  if (!marks.empty()) html_ += "<th aria-label=\"right or wrong\"></th>";
  for (std::size_t c = 0; c < columns.size(); ++c)
    html_ += text("<th", class_of(kinds[c]), ">", escaped(columns[c]), "</th>");
  html_ += "</tr></thead><tbody>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    html_ += r < look.best                   ? "<tr class=\"best\">"
             : r + look.apart == rows.size() ? "<tr class=\"apart\">"
                                             : "<tr>";
    if (!marks.empty()) html_ += mark(marks[r]);
    for (std::size_t c = 0; c < cells; ++c) {
      html_ += text("<td dir=\"auto\"", class_of(kinds[c]), " data-column=\"", escaped(columns[c]), "\">",
                    kinds[c] == "number" ? escaped(with_minus(rows[r][c])) : cell_content(rows[r][c], c == 0),
                    "</td>");
    }
    if (!svgs.empty())
      html_ +=
          text("<td class=\"long\" data-column=\"", escaped(columns.back()), "\">", bare(svgs[r]), "</td>");
    html_ += "</tr>\n";
  }
  html_ += "</tbody></table></div>\n";
  return *this;
}

Html& Html::picture(std::string_view svg, std::string_view caption) {
  html_ += figure(scale_of(svg) + scrolling(svg), caption);
  return *this;
}

Html& Html::beside(const Html& words, std::string_view svg) {
  html_ += "<div class=\"aside\"><div>" + words.str() + "</div>" +
           figure(scale_of(svg) + scrolling(svg), {}) + "</div>\n";
  return *this;
}

Html& Html::charts(const std::vector<LineChart>& charts) {
  const bool alone = charts.size() == 1;
  html_ += alone ? "<div class=\"charts\">" : "<div class=\"charts two\">";
  for (const LineChart& chart : charts) {
    const std::string wide = alone ? in_size(chart, 1100, 360) : in_size(chart, 530, 260);
    html_ += figure(
        "<div class=\"wide\">" + wide + "</div><div class=\"narrow\">" + in_size(chart, 330, 240) + "</div>",
        {});
  }
  html_ += "</div>\n";
  return *this;
}

Html& Html::pictures(const std::vector<std::string>& svgs, std::string_view name) {
  constexpr double small = 260;  // a phone has room for two such maps side by side
  std::string all, boxes;
  double widest = 0;
  for (const std::string& svg : svgs) {
    all += svg;
    boxes += scrolling(svg) + "\n";
    widest = std::max(widest, width_of(svg));
  }
  html_ += text("<div class=\"pictures", has_map(all) ? " maps" : "", widest <= small ? " small" : "",
                "\" style=\"--widest:", widest, "\">", scale_of(all, name), boxes, "</div>\n");
  return *this;
}

Html& Html::cards(const std::vector<Html>& cards, int narrowest) {
  html_ += text("<div class=\"cards\" style=\"--narrowest:", narrowest, "px\">\n");
  for (const Html& each : cards) html_ += "<div>" + each.str() + "</div>\n";
  html_ += "</div>\n";
  return *this;
}

Html& Html::bars(std::string_view label, const std::vector<std::pair<std::string, double>>& shares,
                 bool in_percent, std::size_t best) {
  html_ += text("<p class=\"label\">", escaped(label), "</p><ol class=\"bars\">");
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto& [word, share] = shares[i];
    html_ += text("<li", i < best ? " class=\"best\"" : "", " style=\"--share:", fixed_text(share, 4),
                  "\"><span dir=\"auto\">", escaped(word), "</span><i></i>",
                  element("b", in_percent ? percent_text(share) : share_text(share)), "</li>");
  }
  html_ += "</ol>\n";
  return *this;
}

Html& Html::weighted_words(std::string_view label, const std::vector<std::string>& words,
                           const std::vector<double>& weights) {
  if (words.size() != weights.size()) {
    throw std::invalid_argument(text("weighted_words: there must be a weight for each word: ", words.size(),
                                     " words, ", weights.size(), " weights"));
  }
  if (!label.empty()) html_ += text("<p class=\"label\">", with_marks(label), "</p>");
  html_ += "<p class=\"weighted\" dir=\"auto\">";
  for (std::size_t i = 0; i < words.size(); ++i) {
    html_ += text(" <span style=\"--weight:", fixed_text(weights[i], 3), "\">", escaped(words[i]),
                  weights[i] < 0.005 ? "" : element("small", fixed_text(weights[i], 2)), "</span>");
  }
  html_ += "</p>\n";
  return *this;
}

Html& Html::marked_words(std::string_view label, const std::vector<std::string>& words,
                         const std::vector<bool>& marks) {
  if (words.size() != marks.size()) {
    throw std::invalid_argument(text("marked_words: there must be a mark for each word: ", words.size(),
                                     " words, ", marks.size(), " marks"));
  }
  html_ += text("<p class=\"label\">", escaped(label), "</p><p class=\"marked\" dir=\"auto\">");
  for (std::size_t i = 0; i < words.size(); ++i)
    html_ += " " + (marks[i] ? element("mark", words[i]) : escaped(words[i]));
  html_ += "</p>\n";
  return *this;
}

Html& Html::choices(std::string_view label, const std::vector<Choice>& choices, Chooser chooser,
                    std::size_t start) {
  if (start >= std::max<std::size_t>(choices.size(), 1))
    throw std::invalid_argument(
        text("choices: the start must be one of them: got ", start, " of ", choices.size()));
  const char* kind = chooser == Chooser::slider ? " slider" : chooser == Chooser::words ? " words" : "";
  html_ += text("<div class=\"choices", kind, "\" data-label=\"", escaped(label), "\">\n");
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string note = choices[i].note.empty() ? "" : " " + element("small", choices[i].note);
    html_ += text("<details", i == start ? " open=\"\"" : "", "><summary dir=\"auto\">",
                  escaped(choices[i].name), note, "</summary>\n", choices[i].content.str(), "</details>\n");
  }
  html_ += "</div>\n";
  return *this;
}

Html& Html::markup(std::string_view html) {
  html_ += html;
  return *this;
}

}  // namespace gradual
