#include <gradual/nn/drawing/number_text.hpp>

#include <cmath>
#include <limits>
#include <locale>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("number text: fixed digits after the point, rounded") {
  CHECK(fixed_text(0.8, 2) == "0.80");
  CHECK(fixed_text(0.126, 2) == "0.13");
  CHECK(fixed_text(-12.5, 1) == "-12.5");
  CHECK(fixed_text(3, 0) == "3");
}

TEST_CASE("number text: no minus before a zero") {
  CHECK(fixed_text(-0.001, 2) == "0.00");
  CHECK(fixed_text(-0.0, 1) == "0.0");
  CHECK(trimmed_text(-0.001, 2) == "0");
}

TEST_CASE("number text: decimals in common are as many as any value needs") {
  CHECK(common_decimals({100, 31.4, 30.37}, 4) == 1);
  CHECK(common_decimals({1, 2.25}, 4) == 2);
  CHECK(common_decimals({0.5, 0.12345}, 4) == 4);
  CHECK(common_decimals({3, -7, 0}, 4) == 0);
  CHECK(common_decimals({0.25, std::nan("")}, 4) == 2);
  CHECK(common_decimals({}, 4) == 0);
  CHECK(common_decimals({0, 0}, 4) == 0);
  CHECK(common_decimals({0.0005}, 4) == -1);
  CHECK(common_decimals({0.5, 20000}, 4) == -1);
}

TEST_CASE("number text: trimmed digits end in no zero") {
  CHECK(trimmed_text(0.8, 2) == "0.8");
  CHECK(trimmed_text(3, 2) == "3");
  CHECK(trimmed_text(1200, 2) == "1200");
  CHECK(trimmed_text(100, 0) == "100");
}

TEST_CASE("number text: short numbers have significant digits and a unit from 10,000 on") {
  CHECK(short_text(0, 3) == "0");
  CHECK(short_text(0.5, 3) == "0.5");
  CHECK(short_text(1234.4, 4) == "1234");
  CHECK(short_text(9876, 6) == "9876");
  CHECK(short_text(12345, 3) == "12.3k");
  CHECK(short_text(20000, 6) == "20k");
  CHECK(short_text(10250, 6) == "10.25k");
  CHECK(short_text(1500000, 3) == "1.5M");
  CHECK(short_text(2e9, 3) == "2G");
  CHECK(short_text(-12345, 3) == "-12.3k");
  CHECK(short_text(3e15, 3) == "3e15");
}

TEST_CASE("number text: significant digits stay where they are zeros") {
  CHECK(significant_text(0.32, 3) == "0.320");
  CHECK(significant_text(-0.0512, 3) == "-0.0512");
  CHECK(significant_text(0.9999, 3) == "1.00");
  CHECK(significant_text(12.3, 2) == "12");
  CHECK(significant_text(0, 3) == "0");
  CHECK(significant_text(0.00002, 3) == "2e-5");
  CHECK(significant_text(20000, 3) == "20k");
}

TEST_CASE("number text: rounding up to the next power of ten gives that power") {
  CHECK(short_text(9999.7, 4) == "10k");
  CHECK(short_text(999.96, 4) == "1000");
  CHECK(short_text(0.9999, 2) == "1");
}

TEST_CASE("number text: short numbers below 0.0001 have an exponent") {
  CHECK(short_text(0.0001, 3) == "0.0001");
  CHECK(short_text(0.00002, 3) == "2e-5");
  CHECK(short_text(1.25e-7, 3) == "1.25e-7");
}

TEST_CASE("number text: numbers that are not finite and the largest ones have a text") {
  CHECK(short_text(std::nan(""), 3) == "nan");
  CHECK(fixed_text(std::numeric_limits<double>::infinity(), 2) == "inf");
  CHECK(short_text(-std::numeric_limits<double>::infinity(), 3) == "-inf");
  CHECK(short_text(1e300, 2) == "1e300");
  CHECK(short_text(5e-300, 2) == "5e-300");
  CHECK(fixed_text(1e300, 2).size() == 304);
}

TEST_CASE("number text: the locale changes nothing") {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const std::string one = fixed_text(1234.5, 1);
  const std::string two = short_text(1234567, 3);
  std::locale::global(before);
  CHECK(one == "1234.5");
  CHECK(two == "1.23M");
}

TEST_CASE("duration: minutes and seconds, hours when there are any") {
  CHECK(duration_text(0) == "0:00");
  CHECK(duration_text(7.4) == "0:07");
  CHECK(duration_text(59.6) == "1:00");
  CHECK(duration_text(725) == "12:05");
  CHECK(duration_text(3753) == "1:02:33");
  CHECK(duration_text(36000) == "10:00:00");
}

TEST_CASE("duration: no telling") {
  for (const double seconds : {std::nan(""), -1.0, std::numeric_limits<double>::infinity(), 1e30}) {
    CHECK(duration_text(seconds) == "-:--");
  }
}

TEST_CASE("number text: a share is told in per cent") {
  CHECK(percent_text(0.4567) == "45.7 %");
  CHECK(percent_text(1, 0) == "100 %");
  CHECK(percent_text(-0.0001) == "0.0 %");
}

TEST_CASE("grouped_text: three digits at a time, whatever the sign") {
  CHECK(grouped_text(0) == "0");
  CHECK(grouped_text(999) == "999");
  CHECK(grouped_text(1000) == "1,000");
  CHECK(grouped_text(-196160) == "-196,160");
  CHECK(grouped_text(-1234) == "-1,234");
  CHECK(grouped_text(-123) == "-123");
  CHECK(grouped_text(1234567) == "1,234,567");
}

TEST_CASE("with_minus: each hyphen becomes a minus sign, that of an exponent too") {
  CHECK(with_minus("-1.5e-5 °C") == "−1.5e−5 °C");
  CHECK(with_minus("20,000") == "20,000");
}

TEST_CASE("with_indices: digits stand below the line, and nothing else does") {
  CHECK(with_indices("C4H10FNO") == "C₄H₁₀FNO");
  CHECK(with_indices("0123456789") == "₀₁₂₃₄₅₆₇₈₉");
}
