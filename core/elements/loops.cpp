#include <gradual/core/elements/loops.hpp>

namespace gradual {

Broadcast::Broadcast(const Shape& result, const Shape& a, const Shape& b) {
  Index a_run = 1, b_run = 1;  // how many elements of each operand lie within the axes met so far
  bool first = true;
  OuterAxis* last = nullptr;
  for (Index back = 1; back <= result.rank(); ++back) {
    const Index a_size = back <= a.rank() ? a[-back] : 1, b_size = back <= b.rank() ? b[-back] : 1;
    const Index size = result[-back], a_stride = a_size == 1 ? 0 : a_run, b_stride = b_size == 1 ? 0 : b_run;
    a_run *= a_size;
    b_run *= b_size;
    if (size == 1) continue;
    if (first) {
      width = size;
      a_moves = a_stride == 1;
      b_moves = b_stride == 1;
      first = false;
    } else if (!last && a_stride == width * a_moves && b_stride == width * b_moves) {
      width *= size;
    } else if (last && a_stride == last->size * last->a_stride && b_stride == last->size * last->b_stride) {
      last->size *= size;
      rows *= size;
    } else {
      last = &outer_[outer_axes_++];
      *last = {size, a_stride, b_stride};
      rows *= size;
    }
  }
}

}  // namespace gradual
