// One rule for both, made by a function; the product in double.
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/loops.hpp>

namespace gradual {
namespace {

Real times(Real x, Real y) { return static_cast<Real>(static_cast<double>(x) * static_cast<double>(y)); }

struct Slope {
  Tensor other;
  Shape own;
  Tensor operator()(const Tensor& dy) const {
    const Tensor all = zip("mul", dy, other, times);
    return all.shape() == own ? all : sum_to(all, own);
  }
};

}  // namespace

Operation multiply_operation(const Tensor& a, const Tensor& b) {
  return {"mul", zip("mul", a, b, times), Slope{b, a.shape()}, Slope{a, b.shape()}};
}

}  // namespace gradual
