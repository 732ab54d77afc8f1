#include <gradual/autograd/operations.hpp>

namespace gradual {

Var rotate(const Var& x, const Rotation& rotation) {
  return record("rotate", rotate(x.value(), rotation),
                {{x, [rotation](const Tensor& dy) { return rotate_back(dy, rotation); }}});
}

}  // namespace gradual
