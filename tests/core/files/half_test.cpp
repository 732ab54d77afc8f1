#include <gradual/core/files/half.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"

using namespace gradual;

namespace {

// Whether a number of 16 bits becomes what its exponent, of so many bits, and its fraction say.
template <class Half>
bool is_as_defined(std::uint16_t bits, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits, most = (1 << exponent_bits) - 1, bias = most / 2;
  const int exponent = bits >> fraction_bits & most, fraction = bits & ((1 << fraction_bits) - 1);
  const double part = std::ldexp(fraction, -fraction_bits);
  const double size = exponent == most
                          ? std::numeric_limits<double>::infinity()
                          : std::ldexp(exponent == 0 ? part : 1 + part, std::max(exponent, 1) - bias);
  const float number = Half{bits};
  if (exponent == most && fraction != 0) return std::isnan(number);
  return static_cast<double>(std::abs(number)) == size && std::signbit(number) == (bits >= 0x8000);
}

}  // namespace

TEST_CASE("half precision: each of the 65,536 numbers is the one that its bits are defined to be") {
  int wrong = 0;
  for (int bits = 0; bits < 1 << 16; ++bits) {
    wrong += !is_as_defined<Float16>(static_cast<std::uint16_t>(bits), 5);
    wrong += !is_as_defined<BFloat16>(static_cast<std::uint16_t>(bits), 8);
  }
  CHECK(wrong == 0);
  CHECK(Float16{0x3c00} == 1.0F);
  CHECK(Float16{0xc000} == -2.0F);
  CHECK(Float16{0x7bff} == 65504.0F);  // the largest
  CHECK(Float16{0x0001} == 0x1p-24F);  // the least above 0
  CHECK(BFloat16{0x4049} == 3.140625F);
}
