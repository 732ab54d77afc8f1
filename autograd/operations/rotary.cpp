#include <gradual/autograd/operations.hpp>

namespace gradual {

Var rotate(const Var& x, const Rotation& rotation) {
  return record("rotate", rotate(x.defined() ? x.value() : Tensor(), rotation),
                {{x, [rotation](const Tensor& dy) { return rotate_back(dy, rotation); }}});
}

}  // namespace gradual
