// Numbers as people read them: the same on every machine, whatever its locale.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gradual {

/// `value` with exactly `decimals` digits after the point: fixed_text(0.8, 2) is "0.80".
std::string fixed_text(double value, int decimals);

/// `value` with at most `decimals` digits after the point: trimmed_text(0.8, 2) is "0.8".
std::string trimmed_text(double value, int decimals);

/// How many decimals values have beside one another: as many as any of them needs when the greatest has so
/// many digits. -1 where numbers of a common form would be long: below 0.001, and from 10,000 on.
int common_decimals(const std::vector<double>& values, int digits);

/// `value` rounded to `digits` significant digits, without trailing zeros: 0.5, 1234, "12.5k" from 10,000 on,
/// "1.5M", "2e-5" below 0.0001. A number that is not finite is "nan", "inf" or "-inf".
std::string short_text(double value, int digits);

/// `value` rounded to exactly `digits` significant digits: significant_text(0.32, 3) is "0.320"; as
/// short_text where that writes an exponent or a letter.
std::string significant_text(double value, int digits);

/// A whole number with a comma before each three digits: grouped_text(20000) is "20,000".
std::string grouped_text(std::int64_t number);

/// `number` with a minus sign for each hyphen, as print has it; a terminal keeps the hyphen, which programs
/// read.
std::string with_minus(std::string number);

/// `formula` with its digits below the line: with_indices("C2H6O") is "C₂H₆O".
std::string with_indices(const std::string& formula);

/// A share of 1 in per cent: percent_text(0.4567) is "45.7 %".
std::string percent_text(double share, int decimals = 1);

/// Seconds as people read them: "0:07", "12:05", "1:02:33"; "-:--" when there is no telling.
std::string duration_text(double seconds);

}  // namespace gradual
