// The sheet of paper that a translator is calculated on: tables in which every number knows its sum.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "worked.hpp"

struct Table {
  std::string id, name;
  std::string role;  ///< "query", "key", "value", "weight", "given" or nothing
  std::vector<std::string> row_names, column_names;
  std::vector<std::vector<Worked>> cells;
  int places = 0;                         ///< decimals of its numbers
  std::size_t at_row = 0, at_column = 0;  ///< where it stands among the tables of its section

  /// Its name up to the equals sign.
  std::string symbol() const { return name.substr(0, name.find(" = ")); }
  /// The number of a cell, to calculate with: it says where it stands.
  Worked operator()(std::size_t row, std::size_t column) const;
  /// With all its decimals, so that those of a column stand below one another.
  std::string shown(std::size_t row, std::size_t column) const;
  std::size_t rows() const { return row_names.size(); }
  std::size_t columns() const { return column_names.size(); }
};

/// What is done in one step: what to notice of it, and its tables.
struct Section {
  std::string heading, text;
  std::deque<Table> tables;  // whose addresses stay
};

using CellRule = std::function<Worked(std::size_t row, std::size_t column)>;

/// A sheet whose numbers are rounded to some places, each before it is used further.
class Sheet {
 public:
  explicit Sheet(int places) : places_(places) {}

  void section(const std::string& heading, const std::string& text) {
    sections_.push_back({heading, text, {}});
  }
  /// The tables from here on stand in a row below those before.
  void begin_row() {
    ++row_;
    ++column_;
  }
  /// They stand below one another, beside those before.
  void begin_column() { ++column_; }
  /// A new table in the last section; `head` has its name, its role, and the names along both sides.
  const Table& table(Table head, const CellRule& rule);
  const std::deque<Section>& sections() const { return sections_; }

 private:
  int places_;
  std::size_t count_ = 0, row_ = 0, column_ = 0;
  std::deque<Section> sections_;
};
