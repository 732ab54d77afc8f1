// A product of two matrices whose every number can be opened.
#pragma once

#include <string>
#include <vector>

namespace gradual {

/// C = A·B as it is done on paper: A [N, M] at the lower left, B [M, K] above, and C [N, K] where they meet.
struct MatrixProduct {
  std::vector<std::vector<double>> left, right;  ///< A by its rows, B by its rows
  std::vector<std::string> rows, columns;        ///< names for the rows of A and the columns of B
  std::string left_name, right_name, name;       ///< of A, B and C
};

/// The three tables as an SVG. Each number of C carries its own sum, `1·0.5 + 2·0.25 = 1`, which shows when
/// the pointer rests on it; the book's pages let it be opened by a touch and by the keyboard, too. Throws
/// std::invalid_argument if a matrix is empty, if rows differ in length, if A has not as many columns as B
/// has rows, or if a row or column has no name.
std::string draw_matrix_product(const MatrixProduct& product);

}  // namespace gradual
