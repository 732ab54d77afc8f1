// As the library does it: rows shared out among threads.
#include <gradual/core/checks.hpp>
#include <gradual/core/rows/rows.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  check_shape("softmax_backward", "dy", dy, y.shape());
  const Index width = y.dim(-1);
  Tensor dx = dy;
  parallel_rows(y.size() / width, width, [=, to = dx.mutable_data(), p = y.data()](Index first, Index last) {
    for (Index r = first; r < last; ++r) {
      double dot = 0;
      for (Index i = 0; i < width; ++i) dot += double(p[r * width + i]) * double(to[r * width + i]);
      for (Index i = 0; i < width; ++i)
        to[r * width + i] = p[r * width + i] * (to[r * width + i] - Real(dot));
    }
  });
  return dx;
}

}  // namespace gradual
