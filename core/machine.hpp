// How fast this machine can be: what times are measured against.
#pragma once

namespace gradual {

/// What all threads together reach.
struct MachineLimits {
  double flops;             ///< floating-point operations a second in matrix products
  double bytes_per_second;  ///< between memory and cores, read and written
};

/// The best of some products of two 1024 × 1024 matrices, in operations a second.
double measure_products();
/// The best of some additions a ← a + b of arrays that no cache holds, in bytes a second.
double measure_memory();
/// Measures both limits of this machine, in about half a second.
MachineLimits measure_machine();

}  // namespace gradual
