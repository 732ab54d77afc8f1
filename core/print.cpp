#include <gradual/core/tensor.hpp>
#include <gradual/core/xtensor.hpp>

#if __has_include(<xtensor/xio.hpp>)
#include <xtensor/xio.hpp>
#else  // 0.26 and later
#include <xtensor/io/xio.hpp>
#endif

namespace gradual {
inline namespace GRADUAL_PRECISION {

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  if (!tensor.defined()) return out << "undefined";
  return out << tensor.shape() << '\n' << as_xtensor(tensor);
}

}  // namespace GRADUAL_PRECISION
}  // namespace gradual
