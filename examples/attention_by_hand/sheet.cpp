#include "sheet.hpp"

#include <cmath>
#include <ostream>

#include <gradual/nn/drawing/number_text.hpp>

#include "pencil.hpp"

std::string Table::shown(std::size_t row, std::size_t column) const {
  const double value = cells[row][column].value;
  if (std::isinf(value)) return "-∞";
  return gradual::fixed_text(value == 0 ? 0 : value, places);  // and no -0
}

Worked Table::operator()(std::size_t row, std::size_t column) const {
  const double value = cells[row][column].value;
  const std::string digits = shown(row, column), factor = value < 0 ? "(" + digits + ")" : digits;
  return {value, "{" + id + "." + std::to_string(row) + "." + std::to_string(column) + "|" + factor + "}",
          factor};
}

const Table& Sheet::table(Table head, const CellRule& rule) {
  std::ostream nowhere(nullptr);
  const Pencil pencil(nowhere, places_);
  constexpr int learned_places = 2;
  head.id = "t" + std::to_string(count_++);
  head.places = head.role == "given" ? learned_places : places_;
  head.at_row = row_;
  head.at_column = column_;
  for (std::size_t i = 0; i < head.rows(); ++i) {
    std::vector<Worked>& row = head.cells.emplace_back();
    for (std::size_t j = 0; j < head.columns(); ++j) {
      row.push_back(rule(i, j));
      row.back().value = pencil.rounded(row.back().value);
    }
  }
  sections_.back().tables.push_back(std::move(head));
  return sections_.back().tables.back();
}
