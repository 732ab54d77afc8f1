// Numbers that remember how they were worked out.
#pragma once

#include <string>

/// The arithmetic below is that of doubles; beside the value it writes down what was calculated. In a text,
/// "{x.0.1|0.53}" is a number that stands in table x, row 0, column 1.
struct Worked {
  enum class Binds { as_sum, as_product, as_number };

  double value;
  std::string text;  ///< "{x.0.0|2}·{w.0.1|0.5} + {b.0.1|1}"
  std::string step;  ///< the same with its products and functions worked out: "1 + 1"
  Binds binds = Binds::as_number;

  /// A number as it is, and one with a name of its own, such as √2.
  static Worked number(double value);
  static Worked named(double value, const std::string& text);
};

Worked operator+(const Worked& a, const Worked& b);
Worked operator-(const Worked& a, const Worked& b);
Worked operator*(const Worked& a, const Worked& b);
Worked operator/(const Worked& a, const Worked& b);
/// e to the power of a table's number.
Worked exponential(const Worked& a);
Worked square_root(const Worked& a);
Worked not_below_zero(const Worked& a);
