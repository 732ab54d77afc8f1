#include "worked.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "pencil.hpp"

namespace {

using Binds = Worked::Binds;

std::string step_text(double number) {
  std::ostream nowhere(nullptr);
  return Pencil(nowhere, 4).factor(number);  // a place more than tables have
}

std::string in_brackets(const std::string& text, Binds binds, Binds needed) {
  return binds < needed ? "(" + text + ")" : text;
}

Worked sum(double value, const Worked& a, const std::string& sign, const Worked& b, Binds needed) {
  return {value, a.text + sign + in_brackets(b.text, b.binds, needed),
          a.step + sign + in_brackets(b.step, b.binds, needed), Binds::as_sum};
}

}  // namespace

Worked Worked::number(double value) {
  std::ostream nowhere(nullptr);
  const std::string digits = Pencil(nowhere, 15).factor(value);
  return {value, digits, digits};
}

Worked Worked::named(double value, const std::string& text) { return {value, text, step_text(value)}; }

Worked operator+(const Worked& a, const Worked& b) {
  return sum(a.value + b.value, a, " + ", b, Binds::as_sum);
}

Worked operator-(const Worked& a, const Worked& b) {
  return sum(a.value - b.value, a, " - ", b, Binds::as_product);
}

Worked operator*(const Worked& a, const Worked& b) {
  const double value = a.value == 0 || b.value == 0 ? 0 : a.value * b.value;  // and no -0
  return {
      value,
      in_brackets(a.text, a.binds, Binds::as_product) + "·" + in_brackets(b.text, b.binds, Binds::as_number),
      step_text(value), Binds::as_product};
}

Worked operator/(const Worked& a, const Worked& b) {
  return {a.value / b.value,
          in_brackets(a.text, a.binds, Binds::as_product) + " / " +
              in_brackets(b.text, b.binds, Binds::as_number),
          in_brackets(a.step, a.binds, Binds::as_product) + " / " +
              in_brackets(b.step, b.binds, Binds::as_number),
          Binds::as_product};
}

Worked exponential(const Worked& a) {
  const double value = std::exp(a.value);
  std::string power = a.text;  // which needs no brackets where it stands
  if (const std::size_t open = power.find("|("); open != std::string::npos)
    power = power.substr(0, open + 1) + power.substr(open + 2, power.size() - open - 4) + "}";
  return {value, "e^" + power, step_text(value)};
}

Worked square_root(const Worked& a) { return {std::sqrt(a.value), "√(" + a.text + ")", "√(" + a.step + ")"}; }

Worked not_below_zero(const Worked& a) {
  return {std::max(a.value, 0.0), "max(0, " + a.text + ")", "max(0, " + a.step + ")"};
}
