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

ResultTable& ResultTable::add(std::vector<Cell> row) {
  if (row.size() != columns_.size())
    throw std::invalid_argument(text("result table: a row must have a cell for each column: it has ",
                                     row.size(), ", columns are ", columns_.size()));
  rows_.push_back(std::move(row));
  return *this;
}

std::vector<std::string> ResultTable::titles() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
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
  std::string line = left_in(first, cells.front());
  for (std::size_t i = 1; i < cells.size(); ++i)
    line += std::string(gap, ' ') +
            right_in(std::max(split_characters(columns_[i].title).size(), narrowest), cells[i]);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string ResultTable::head() const { return line_of(titles()); }
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
