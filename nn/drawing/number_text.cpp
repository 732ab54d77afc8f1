#include <gradual/nn/drawing/number_text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gradual {
namespace {

std::string in_format(double value, std::chars_format format, int decimals) {
  char digits[400];  // The largest double has 309 digits before the point.
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, format, std::clamp(decimals, 0, 30)).ptr;
  const std::string result(digits, end);
  return result.find_first_of("123456789") == std::string::npos && result[0] == '-' ? result.substr(1)
                                                                                    : result;
}

std::string without_trailing_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

/// The exponent of ten of `value` once it is rounded to `digits` significant digits: 3 for 1234, and 4 for
/// 9999.7 rounded to 4.
int exponent_of_ten(double value, int digits) {
  const std::string scientific = in_format(value, std::chars_format::scientific, digits - 1);
  return std::stoi(scientific.substr(scientific.find('e') + 1));
}

}  // namespace

std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  return in_format(value, std::chars_format::fixed, decimals);
}

std::string trimmed_text(double value, int decimals) {
  return without_trailing_zeros(fixed_text(value, decimals));
}

int common_decimals(const std::vector<double>& values, int digits) {
  double greatest = 0;
  for (const double value : values)
    if (std::isfinite(value)) greatest = std::max(greatest, std::abs(value));
  if (greatest > 0 && (greatest < 1e-3 || greatest >= 1e4)) return -1;
  const int whole = greatest > 0 ? 1 + static_cast<int>(std::floor(std::log10(greatest))) : 1;
  int decimals = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const std::string number = trimmed_text(value, std::max(digits - whole, 0));
    const std::size_t point = number.find('.');
    if (point != std::string::npos)
      decimals = std::max(decimals, static_cast<int>(number.size() - point) - 1);
  }
  return decimals;
}

std::string short_text(double value, int digits) {
  if (!std::isfinite(value)) return fixed_text(value, 0);
  if (value == 0) return "0";
  const int exponent = exponent_of_ten(value, digits);
  const auto scaled = [&](int power) {
    return trimmed_text(value / std::pow(10.0, power), digits - 1 - (exponent - power));
  };
  if (exponent < -4 || exponent >= 12) return scaled(exponent) + "e" + std::to_string(exponent);
  if (exponent >= 9) return scaled(9) + "G";
  if (exponent >= 6) return scaled(6) + "M";
  if (exponent >= 4) return scaled(3) + "k";
  return scaled(0);
}

std::string significant_text(double value, int digits) {
  if (!std::isfinite(value) || value == 0) return short_text(value, digits);
  const int exponent = exponent_of_ten(value, digits);
  return exponent < -4 || exponent >= 4 ? short_text(value, digits)
                                        : fixed_text(value, digits - 1 - exponent);
}

std::string grouped_text(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t end = digits.size(); end > sign + 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

std::string with_minus(std::string number) {
  for (std::size_t at = 0; (at = number.find('-', at)) != std::string::npos;) number.replace(at, 1, "\u2212");
  return number;
}

std::string with_indices(const std::string& formula) {
  std::string written;
  for (const char c : formula) {
    if (c >= '0' && c <= '9')
      written += std::string("\xE2\x82") + static_cast<char>(0x80 + c - '0');  // U+2080 is ₀
    else
      written += c;
  }
  return written;
}

std::string percent_text(double share, int decimals) { return fixed_text(100 * share, decimals) + " %"; }

std::string duration_text(double seconds) {
  if (!(seconds >= 0 && seconds < 1e9)) return "-:--";
  const auto whole = std::llround(seconds);
  const auto two_digits = [](long long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const long long minutes = whole / 60;
  const std::string tail = ":" + two_digits(whole % 60);
  return minutes < 60 ? std::to_string(minutes) + tail
                      : std::to_string(minutes / 60) + ":" + two_digits(minutes % 60) + tail;
}

}  // namespace gradual
