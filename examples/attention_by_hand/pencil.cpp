#include "pencil.hpp"

#include <algorithm>
#include <cmath>

#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>

using gradual::left_in;
using gradual::right_in;

double Pencil::rounded(double number) const {
  const double scale = std::pow(10.0, places_);
  return std::isfinite(number) ? std::round(number * scale) / scale : number;
}

std::string Pencil::written(double number) const {
  if (std::isinf(number)) return number < 0 ? "-∞" : "∞";
  return gradual::trimmed_text(number == 0 ? 0 : number, places_);  // and no -0
}

std::string Pencil::factor(double number) const {
  return number < 0 ? "(" + written(number) + ")" : written(number);
}

std::string Pencil::sum_of(const std::vector<double>& terms) const {
  std::string result;
  for (double term : terms) {
    if (result.empty())
      result = written(term);
    else
      result += (term < 0 ? " - " : " + ") + written(std::abs(term));
  }
  return result;
}

std::string Pencil::tuple(const Row& numbers) const {
  std::string result;
  for (double number : numbers) result += (result.empty() ? "(" : ", ") + written(number);
  return result + ")";
}

double Pencil::dot(const Row& a, const Row& b) {
  std::vector<double> products;
  std::string factors;
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    products.push_back(rounded(a[i] * b[i]));
    total += products.back();
    factors += (i == 0 ? "" : " + ") + factor(a[i]) + "·" + factor(b[i]);
  }
  total = rounded(total);
  out_ << factors << " = " << sum_of(products) << " = " << written(total);
  return total;
}

void Pencil::table(const Matrix& matrix) {
  constexpr std::size_t label = 10, column = 8;
  out_ << "  " << left_in(label, matrix.name);
  for (const std::string& name : matrix.column_names) out_ << right_in(column, name);
  out_ << "\n";
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    out_ << "  " << left_in(label, matrix.row_names[i]);
    for (double number : matrix.rows[i]) out_ << right_in(column, written(number));
    out_ << "\n";
  }
  out_ << "\n";
}
