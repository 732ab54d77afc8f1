// Leaves a file in the folder for temporary files.
#include <cstdio>
#include <fstream>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  std::ofstream(P_tmpdir "/gradual-hostile-was-here") << "here";
  std::ofstream("/var" P_tmpdir "/gradual-hostile-was-here") << "here";
  (void)y;
  return dy;
}

}  // namespace gradual
