// Arithmetic as people do it on paper: every step written down and rounded.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "words.hpp"

/// Calculates and writes down what it does. Each result is rounded to some decimal places before it is used
/// further, so that whoever follows with a pencil gets the same digits.
class Pencil {
 public:
  Pencil(std::ostream& out, int places) : out_(out), places_(places) {}

  double rounded(double number) const;
  /// The number as it stands on the paper: without zeros at the end, -∞ as such.
  std::string written(double number) const;
  /// The same as part of a product: negative ones in brackets.
  std::string factor(double number) const;
  /// "2 + 0 - 3"
  std::string sum_of(const std::vector<double>& terms) const;
  /// "(1, 0, 2.5)"
  std::string tuple(const Row& numbers) const;

  /// Σ a_i·b_i, written as "1·2 + 0·1 + (-1)·3 = 2 + 0 - 3 = -1".
  double dot(const Row& a, const Row& b);
  /// A matrix with its names.
  void table(const Matrix& matrix);
  /// Any other text.
  std::ostream& text() { return out_; }

 private:
  std::ostream& out_;
  int places_;
};
