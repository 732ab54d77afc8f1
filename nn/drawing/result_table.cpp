#include <gradual/nn/drawing/result_table.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

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

std::vector<std::string> ResultTable::titles() const {
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
      texts.push_back(std::to_string(*whole) + column.unit);
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

// A column is as wide as its title and as usual numbers: a line must not wait for those that come.
std::string ResultTable::line_of(const std::vector<std::string>& cells) const {
  constexpr std::size_t first = 24, narrowest = 8, gap = 2;
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::size_t width = columns_[i].width > 0 ? columns_[i].width : i == 0 ? first : narrowest;
    if (i == 0) {
      line = left_in(width, cells.front());
      continue;
    }
    for (const std::string& title : lines_of(columns_[i].title))
      width = std::max(width, split_characters(title).size());
    line += std::string(gap, ' ') + right_in(width, cells[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// Titles of fewer lines stand at the bottom.
std::string ResultTable::head() const {
  std::vector<std::vector<std::string>> titles;
  std::size_t height = 1;
  for (const Column& column : columns_) {
    titles.push_back(lines_of(column.title));
    height = std::max(height, titles.back().size());
  }
  std::string head;
  for (std::size_t row = height; row > 0; --row) {
    std::vector<std::string> line;
    for (const auto& title : titles) line.push_back(row > title.size() ? "" : title[title.size() - row]);
    head += line_of(line);
  }
  return head;
}

std::string ResultTable::last_line() const { return line_of(texts_of(rows_.back())); }

std::string ResultTable::lines() const {
  std::string all = head();
  for (const auto& row : rows()) all += line_of(row);
  return all;
}

std::string ResultTable::json() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const std::vector<Cell>& row : rows_) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
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
  return all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace gradual
