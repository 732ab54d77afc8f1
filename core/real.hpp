// The number type of the library, and the type of sizes and indices.
#pragma once

#include <cstddef>
#include <cstdint>

// Types that hold numbers live in an inline namespace named after the precision, so that a program
// which mixes a float build of the library with a double build fails to link instead of reading garbage.
#ifdef GRADUAL_DOUBLE
#define GRADUAL_PRECISION float64
#else
#define GRADUAL_PRECISION float32
#endif

namespace gradual {

#ifdef GRADUAL_DOUBLE
using Real = double;
#else
using Real = float;
#endif

/// Sizes, offsets and axis numbers. Signed, so that axes count from the end (-1 is the last) and differences
/// are safe.
using Index = std::ptrdiff_t;

}  // namespace gradual
