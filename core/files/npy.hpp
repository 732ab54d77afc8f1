// One tensor to and from a file in NumPy's .npy format.
#pragma once

#include <string>

#include <gradual/core/tensor.hpp>

namespace gradual {

/// Writes a file that numpy.load reads, as float32 (float64 in the double build), wholly or not at all.
/// Throws FileError when it cannot be written and std::invalid_argument for a tensor without a value.
void save_npy(const std::string& path, const Tensor& tensor);

/// Reads a file of numpy.save with numbers of the types float32, float64, int32 or int64, in C or in Fortran
/// order, and converts them to Real. Throws FileError with the position in bytes for a file that is cut
/// short, damaged, not in this format, or holds anything else.
Tensor load_npy(const std::string& path);

}  // namespace gradual
