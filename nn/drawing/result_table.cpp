#include <gradual/nn/drawing/result_table.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

constexpr std::size_t gap = 2;  // between columns

std::size_t letters(const std::string& text) { return split_characters(text).size(); }

std::vector<std::string> lines_of(const std::string& title) {
  std::vector<std::string> lines{""};
  for (const char c : title) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

}  // namespace

ResultTable& ResultTable::add(std::vector<Cell> row) {
  if (row.size() != columns_.size())
    throw std::invalid_argument(text("result table: a row must have a cell for each column: it has ",
                                     row.size(), ", columns are ", columns_.size()));
  rows_.push_back(std::move(row));
  return *this;
}

ResultTable& ResultTable::part(const std::string& title) {
  parts_.emplace_back(rows_.size(), title);
  return *this;
}

std::vector<std::string> ResultTable::titles() const {
  std::vector<std::string> titles = short_titles();
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (!columns_[i].group.empty()) titles[i].insert(0, columns_[i].group + " ");
  return titles;
}

std::vector<std::string> ResultTable::short_titles() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(list_text(lines_of(column.title)));
  return titles;
}

std::vector<std::string> ResultTable::texts_of(const std::vector<Cell>& row) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Column& column = columns_[i];
    if (const auto* name = std::get_if<std::string>(&row[i]))
      texts.push_back(*name);
    else if (const auto* whole = std::get_if<Index>(&row[i]))
      texts.push_back(grouped_text(*whole) + column.unit);
    else if (const auto* number = std::get_if<double>(&row[i]))
      texts.push_back(fixed_text(*number, column.decimals) + column.unit);
    else
      texts.emplace_back();
  }
  return texts;
}

std::vector<std::vector<std::string>> ResultTable::rows() const {
  std::vector<std::vector<std::string>> all;
  for (const std::vector<Cell>& row : rows_) all.push_back(texts_of(row));
  return all;
}

// A column is as wide as its title and as usual numbers: a line must not wait for those that come. The second
// one's title may begin where the first one's has ended.
std::size_t ResultTable::width_of(std::size_t column) const {
  constexpr std::size_t first = 24, narrowest = 7;
  const Column& its = columns_[column];
  std::size_t width = its.width > 0 ? its.width : column == 0 ? first : narrowest;
  if (column == 0) return width;
  const std::size_t free = column == 1 ? width_of(0) - std::min(width_of(0), letters(columns_[0].title)) : 0;
  for (const std::string& line : lines_of(its.title))
    width = std::max(width, letters(line) - std::min(letters(line), free));
  return width;
}

// What is too wide takes its room from the free place beside it, and keeps its distance.
std::string ResultTable::line_of(const std::vector<std::string>& cells) const {
  std::string line = cells.front();
  std::size_t end = width_of(0);
  for (std::size_t i = 1; i < cells.size(); ++i) {
    const std::size_t begin = end + gap, used = letters(line) + gap;
    end = begin + width_of(i);
    line += columns_[i].words
                ? std::string(begin - std::min(begin, used), ' ') + std::string(gap, ' ') + cells[i]
                : std::string(gap, ' ') + right_in(end - std::min(end, used), cells[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// Each group in the middle of a rule over its columns; "" where there is none.
std::string ResultTable::line_of_groups() const {
  std::string line;
  std::size_t end = width_of(0);
  for (std::size_t i = 1; i < columns_.size();) {
    const std::string& group = columns_[i].group;
    const std::size_t begin = end + gap;
    do end += gap + width_of(i++);
    while (i < columns_.size() && !group.empty() && columns_[i].group == group);
    if (group.empty()) continue;
    const std::size_t room = end - begin, taken = letters(group) + 2, rule = room - std::min(room, taken);
    const std::string title = repeated("─", rule / 2) + " " + group + " " + repeated("─", rule - rule / 2);
    line += std::string(begin - std::min(begin, letters(line)), ' ') + title;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line.empty() ? "" : line + "\n";
}

std::string ResultTable::block_of(const std::vector<std::string>& cells) const {
  const std::vector<std::string> names = titles();
  std::string block = cells.front(), line;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    const std::string figure = names[i] + " " + cells[i];
    if (!line.empty() && letters(line) + 2 + letters(figure) <= block_width_) {
      line += ", " + figure;
      continue;
    }
    block += line.empty() ? "" : line + ",";
    line = "\n  " + figure;
  }
  return block + line + "\n";
}

ResultTable& ResultTable::within(std::size_t room) {
  std::size_t width = width_of(0);
  for (std::size_t i = 1; i < columns_.size(); ++i) width += gap + width_of(i);
  block_width_ = room < width ? room : 0;
  return *this;
}

// Titles of fewer lines stand at the bottom.
std::string ResultTable::head() const {
  if (block_width_ > 0) return "";
  std::vector<std::vector<std::string>> titles;
  std::size_t height = 1;
  for (const Column& column : columns_) {
    titles.push_back(lines_of(column.title));
    height = std::max(height, titles.back().size());
  }
  std::string head = line_of_groups();
  for (std::size_t row = height; row > 0; --row) {
    std::vector<std::string> line;
    for (const auto& title : titles) line.push_back(row > title.size() ? "" : title[title.size() - row]);
    head += line_of(line);
  }
  return head;
}

std::string ResultTable::last_line() const {
  const std::vector<std::string> cells = texts_of(rows_.back());
  return block_width_ > 0 ? block_of(cells) : line_of(cells);
}

std::string ResultTable::lines() const {
  std::string all = head();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (const auto& [begin, title] : parts_)
      if (begin == i) all += (i > 0 ? "\n" : "") + (title.empty() ? "" : title + ":\n");
    const std::vector<std::string> cells = texts_of(rows_[i]);
    all += block_width_ > 0 ? block_of(cells) : line_of(cells);
  }
  return all;
}

std::string ResultTable::json() const {
  Json all = Json::array();
  for (const std::vector<Cell>& row : rows_) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::visit(
          [&](const auto& value) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
              object[columns_[i].key] = value;
          },
          row[i]);
    }
    all.push_back(std::move(object));
  }
  return clean_json_text(all);
}

}  // namespace gradual
