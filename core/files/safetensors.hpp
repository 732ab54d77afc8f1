// Named tensors to and from a file in the safetensors format.
//
//   8 bytes     n, the length of the header, as a little-endian number
//   n bytes     the header, JSON: {"__metadata__": {"epoch": "3"},
//                                  "weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}
//   the rest    the numbers, little-endian and row by row; offsets count from here
//
// The format is described at https://github.com/huggingface/safetensors.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// What a safetensors file holds.
struct TensorFile {
  std::vector<std::pair<std::string, Tensor>> tensors;   ///< in the order of the file
  std::vector<std::pair<std::string, Indices>> indices;  ///< tensors of whole numbers
  std::map<std::string, std::string> metadata;           ///< texts by their names, beside the tensors

  /// The tensor of this name, or null.
  const Tensor* find(const std::string& name) const;
};

/// Writes the file wholly or not at all: tensors as F32 (F64 in the double build), indices as I32. Throws
/// FileError when it cannot be written and std::invalid_argument for a name that occurs twice or is
/// "__metadata__", for a tensor without a value, and for text that is not UTF-8.
void save_tensors(const std::string& path, const TensorFile& file);

/// Reads F16, BF16, F32 and F64 as tensors (converted to Real) and I32 and I64 as indices; with `wanted`,
/// those alone whose names it takes, and the others may be of any type. Throws FileError with the position in
/// bytes for a file that is cut short, damaged, not in this format, or holds anything else.
TensorFile load_tensors(const std::string& path,
                        const std::function<bool(const std::string& name)>& wanted = {});

}  // namespace gradual
