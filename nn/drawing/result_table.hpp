// Results side by side.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// Rows of figures whose columns are described once, for a terminal, for a page and as JSON:
///
///   ResultTable table({{"model", ""}, {"seconds", "time", 1, " s"}, {"accuracy", "right", 1, " %"}});
///   table.add({"small", 2.04, 99.5});
///   std::cout << table.head() << table.last_line();            //                time    right
///   html.table(table.titles(), table.rows());                  // small         2.0 s   99.5 %
///   table.json();   // [{"model":"small","seconds":2.04,"accuracy":99.5}]
class ResultTable {
 public:
  /// What a column holds, and how its numbers are written.
  struct Column {
    std::string key;         ///< in JSON
    std::string title;       ///< for people; may have several lines
    int decimals = 0;        ///< of numbers that are not whole, as people read them
    std::string unit = {};   ///< behind each number, with its space
    std::size_t width = 0;   ///< in characters, at least; 0: 24 of the first, 7 of the others
    std::string group = {};  ///< stands once above all columns beside each other that have it
    bool words = false;      ///< in a terminal it begins at its left, as the first one does
  };
  /// A name, a number, or nothing.
  using Cell = std::variant<std::monostate, std::string, Index, double>;

  explicit ResultTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// Throws std::invalid_argument unless the row has a cell for each column.
  ResultTable& add(std::vector<Cell> row);
  /// The rows that follow stand apart: in a terminal, behind an empty line and the title of the part, where
  /// there is one.
  ResultTable& part(const std::string& title = "");

  /// For a terminal with room for so many characters in a line: where the columns do not fit, a row is a
  /// block, its name and below it each figure behind its title, and there is no head. 0: there is room.
  ResultTable& within(std::size_t room);

  /// The titles, and a row, as lines with their ends: the first column and those of words at the left, the
  /// others at the right.
  std::string head() const;
  std::string last_line() const;
  /// All of them.
  std::string lines() const;

  std::vector<std::string> titles() const;        ///< each in one line, behind its group
  std::vector<std::string> short_titles() const;  ///< without their groups
  std::vector<std::vector<std::string>> rows() const;
  /// The numbers whole, as an array of an object for each row; without what is not there.
  std::string json() const;

 private:
  std::size_t width_of(std::size_t column) const;
  std::string line_of(const std::vector<std::string>& cells) const;
  std::string line_of_groups() const;
  std::string block_of(const std::vector<std::string>& cells) const;
  std::vector<std::string> texts_of(const std::vector<Cell>& row) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::pair<std::size_t, std::string>> parts_;  // the row that each begins with, and its title
  std::size_t block_width_ = 0;                             // of a row that does not fit a line; 0: it fits
};

}  // namespace gradual
