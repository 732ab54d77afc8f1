// How much has been multiplied.
#pragma once

#include <cstdint>

namespace gradual {

/// Floating-point operations of all matrix products so far, on all threads: 2·m·n·k each. Loops that multiply
/// without making a matrix product, such as those of cached_attention() and sum_along_edges(), do not count.
std::int64_t flop_count();
/// Adds to flop_count(), for kernels that multiply by themselves.
void count_flops(std::int64_t flops);

}  // namespace gradual
