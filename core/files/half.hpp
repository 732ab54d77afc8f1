// Numbers of 16 bits, as files hold them; one computes with what they become.
#pragma once

#include <cstdint>
#include <cstring>

namespace gradual {

/// IEEE 754's binary16: a sign, five bits of an exponent e and ten of a fraction f,
///
///     ± 2^(e - 15) · (1 + f/1024),   ± 2^(-14) · f/1024 for e = 0,   ± ∞ (f = 0) and no number for e = 31
struct Float16 {
  std::uint16_t bits;

  /// The same number.
  operator float() const {
    const bool is_finite = (bits & 0x7c00) != 0x7c00;
    // Where a float has its fraction and its exponent, which counts from 127 and not from 15.
    std::uint32_t wide = static_cast<std::uint32_t>(bits & 0x7fff) << 13 | (is_finite ? 0 : 0x7f800000);
    float number;
    std::memcpy(&number, &wide, sizeof number);
    if (is_finite) number *= 0x1p112F;  // exact, of numbers without an exponent too
    return bits & 0x8000 ? -number : number;
  }
};

/// The upper half of a float: a sign, eight bits of an exponent and seven of a fraction.
struct BFloat16 {
  std::uint16_t bits;

  /// The same number.
  operator float() const {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float number;
    std::memcpy(&number, &wide, sizeof number);
    return number;
  }
};

}  // namespace gradual
