#include <gradual/nn/drawing/matrix_product.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

using ProductRows = std::vector<std::vector<double>>;

constexpr double kCellHeight = 26;
constexpr double kFontSize = 13;
constexpr double kAround = 12;   // the picture
constexpr double kBetween = 22;  // the tables

[[noreturn]] void bad_product(const std::string& rule) {
  throw std::invalid_argument("draw_matrix_product: " + rule);
}

void check_rows(const ProductRows& rows, const std::string& which) {
  if (rows.empty() || rows[0].empty()) bad_product("a matrix needs a number: " + which + " is empty");
  for (const std::vector<double>& row : rows)
    if (row.size() != rows[0].size())
      bad_product("rows of a matrix have one length: " + which + " has rows of " +
                  std::to_string(rows[0].size()) + " and " + std::to_string(row.size()));
}

void check_product(const MatrixProduct& product) {
  check_rows(product.left, "left");
  check_rows(product.right, "right");
  if (product.left[0].size() != product.right.size())
    bad_product("inner sizes must match: left has " + std::to_string(product.left[0].size()) +
                " columns, right " + std::to_string(product.right.size()) + " rows");
  if (product.rows.size() != product.left.size() || product.columns.size() != product.right[0].size())
    bad_product("each row and column has a name: got " + std::to_string(product.rows.size()) + " for " +
                std::to_string(product.left.size()) + " rows and " + std::to_string(product.columns.size()) +
                " for " + std::to_string(product.right[0].size()) + " columns");
}

std::string number(double value) {
  return with_minus(std::isfinite(value) ? trimmed_text(value, 2) : short_text(value, 2));
}

/// A negative factor stands in brackets.
std::string factor(double value) { return value < 0 ? "(" + number(value) + ")" : number(value); }

double cell_of(const MatrixProduct& product, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t m = 0; m < product.right.size(); ++m) sum += product.left[i][m] * product.right[m][j];
  return sum;
}

std::string sum_of(const MatrixProduct& product, std::size_t i, std::size_t j) {
  std::string text = product.rows[i] + ", " + product.columns[j] + ": ";
  for (std::size_t m = 0; m < product.right.size(); ++m)
    text += (m ? " + " : "") + factor(product.left[i][m]) + "·" + factor(product.right[m][j]);
  return text + " = " + number(cell_of(product, i, j));
}

class ProductPicture {
 public:
  explicit ProductPicture(const MatrixProduct& product) : product_(product) {
    double names = 0;
    for (const std::string& row : product.rows) names = std::max(names, text_width(row, kFontSize));
    for (const std::string& column : product.columns)
      cell_ = std::max(cell_, text_width(column, kFontSize) + 12);
    left_ = kAround + names + 8;
    middle_ = left_ + static_cast<double>(product.left[0].size()) * cell_ + kBetween;
    above_ = kAround + 2 * kCellHeight;
    below_ = above_ + static_cast<double>(product.right.size()) * kCellHeight + kBetween;
  }

  std::string drawn() {
    const std::size_t rows = product_.left.size(), columns = product_.right[0].size();
    Svg svg(std::ceil(middle_ + static_cast<double>(columns) * cell_ + kAround),
            std::ceil(below_ + static_cast<double>(rows) * kCellHeight + kAround), "product",
            product_.name + " = " + product_.left_name + " · " + product_.right_name);
    svg_ = &svg;
    svg.open("g", {{"font-size", kFontSize}});
    name(product_.right_name, middle_, kAround + kFontSize);
    name(product_.left_name, left_, below_ - 8);
    name(product_.name, middle_, below_ - 8);
    for (std::size_t j = 0; j < columns; ++j)
      text(product_.columns[j], x_of(middle_, j), above_ - 8, "soft", "middle");
    for (std::size_t i = 0; i < rows; ++i)
      text(product_.rows[i], left_ - 8, y_of(below_, i) + 4.5, "soft", "end");
    table(product_.left, left_, below_, "row");
    table(product_.right, middle_, above_, "column");
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) result(i, j);
    return svg.finish();
  }

 private:
  double x_of(double start, std::size_t column) const {
    return start + (static_cast<double>(column) + 0.5) * cell_;
  }
  static double y_of(double start, std::size_t row) {
    return start + (static_cast<double>(row) + 0.5) * kCellHeight;
  }

  void text(const std::string& content, double x, double y, const std::string& css_class,
            const std::string& anchor) {
    svg_->text(x, y, content, {{"class", css_class}, {"text-anchor", anchor}});
  }
  void name(const std::string& content, double x, double y) { text(content, x, y, "title", "start"); }

  void frame(double x, double y) {
    svg_->element("rect", {{"x", x - cell_ / 2},
                           {"y", y - kCellHeight / 2},
                           {"width", cell_},
                           {"height", kCellHeight},
                           {"fill", "#fff"},
                           {"stroke", "#e2e5ec"}});
  }

  /// The numbers of a factor, each in a group that says which row or column it stands in.
  void table(const ProductRows& numbers, double x, double y, const std::string& which) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      for (std::size_t j = 0; j < numbers[i].size(); ++j) {
        svg_->open("g", {{"class", "factor " + which + std::to_string(which == "row" ? i : j)}});
        frame(x_of(x, j), y_of(y, i));
        text(number(numbers[i][j]), x_of(x, j), y_of(y, i) + 4.5, "", "middle");
        svg_->close();
      }
  }

  void result(std::size_t i, std::size_t j) {
    const double x = x_of(middle_, j), y = y_of(below_, i);
    svg_->open("g", {{"class", "opens"}, {"data-row", i}, {"data-column", j}});
    frame(x, y);
    svg_->text(x, y + 4.5, number(cell_of(product_, i, j)), {{"text-anchor", "middle"}},
               sum_of(product_, i, j));
    svg_->close();
  }

  const MatrixProduct& product_;
  double cell_ = 44, left_ = 0, middle_ = 0, above_ = 0, below_ = 0;
  Svg* svg_ = nullptr;
};

}  // namespace

std::string draw_matrix_product(const MatrixProduct& product) {
  check_product(product);
  return ProductPicture(product).drawn();
}

}  // namespace gradual
