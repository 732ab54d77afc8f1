// Its own function, wrong, and others that the probe might call.
#include <string>
#include <vector>

#include <gradual/core/files/safetensors.hpp>
#include <gradual/core/rows/rows.hpp>

namespace gradual {

void save_tensors(const std::string&, const TensorFile&) {}
Tensor softmax_backward(const Tensor&, const Tensor& dy) { return dy; }

}  // namespace gradual
