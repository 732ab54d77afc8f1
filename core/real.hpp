// The number type of the library, and the type of sizes and indices.
#pragma once

#include <cstddef>
#include <cstdint>

// What differs between the two builds lives in an inline namespace named after the precision.
#ifdef GRADUAL_DOUBLE
#define GRADUAL_PRECISION float64
#else
#define GRADUAL_PRECISION float32
#endif

namespace gradual {

/// What tensors consist of: float, or double in a build of its own (GRADUAL_DOUBLE).
#ifdef GRADUAL_DOUBLE
using Real = double;
#else
using Real = float;
#endif

/// Sizes, offsets and axis numbers. Signed, so that axes count from the end (-1 is the last) and differences
/// are safe.
using Index = std::ptrdiff_t;

// A program that mixes float with double must fail to link instead of reading garbage. So every object that
// includes this header asks for a symbol that only a library of the same precision has (core/real.cpp). A
// notebook's kernel reads this before the library is there to ask.
#if defined(__GNUC__) && !defined(__CLING__) && !defined(__CLANG_REPL__)
inline namespace GRADUAL_PRECISION {
extern const char a_program_has_one_precision;
}
namespace {
[[gnu::used]] const char* const precision_of_this_object = &a_program_has_one_precision;
}
#endif

}  // namespace gradual
