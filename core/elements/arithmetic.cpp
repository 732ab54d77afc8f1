#include <gradual/core/elements/arithmetic.hpp>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/loops.hpp>

namespace gradual {
namespace {

constexpr auto sum_of = [](Real x, Real y) { return x + y; };
constexpr auto product_of = [](Real x, Real y) { return x * y; };
constexpr auto quotient_of = [](Real x, Real y) { return x / y; };

// The rule of a where ∂y/∂a = slope(a, b).
template <class Slope>
Rule rule(const char* name, const Tensor& a, const Tensor& b, Slope slope) {
  return
      [=](const Tensor& dy) { return sum_to(zip(name, dy, zip(name, a, b, slope), product_of), a.shape()); };
}

}  // namespace

// What an input that was repeated to fit gets is summed back to its shape.

Operation add_operation(const Tensor& a, const Tensor& b) {
  return {"add", zip("add", a, b, sum_of),
          [shape = a.shape()](const Tensor& dy) { return sum_to(dy, shape); },
          [shape = b.shape()](const Tensor& dy) { return sum_to(dy, shape); }};
}

Operation subtract_operation(const Tensor& a, const Tensor& b) {
  return {"sub", zip("sub", a, b, [](Real x, Real y) { return x - y; }),
          [shape = a.shape()](const Tensor& dy) { return sum_to(dy, shape); },
          [shape = b.shape()](const Tensor& dy) { return -sum_to(dy, shape); }};
}

Operation multiply_operation(const Tensor& a, const Tensor& b) {
  return {"mul", zip("mul", a, b, product_of),
          [b, shape = a.shape()](Tensor dy) { return sum_products_to(std::move(dy), b, shape); },
          [a, shape = b.shape()](Tensor dy) { return sum_products_to(std::move(dy), a, shape); }};
}

Operation divide_operation(const Tensor& a, const Tensor& b) {
  const Tensor y = zip("div", a, b, quotient_of);
  return {
      "div", y,
      [b, shape = a.shape()](Tensor dy) { return sum_to(zip("div", std::move(dy), b, quotient_of), shape); },
      [b, y](Tensor dy) {  // ∂(a/b)/∂b = -y/b; b is the same in all terms of a sum
        return -(sum_products_to(std::move(dy), y, b.shape()) / b);
      }};
}

Operation negate_operation(const Tensor& x) {
  return {"neg", map("neg", x, [](Real v) { return -v; }), [](const Tensor& dy) { return -dy; }};
}

Operation maximum_operation(const Tensor& a, const Tensor& b) {
  const auto share = [](Real x, Real y) { return x == y ? Real(0.5) : Real(x > y || x != x); };
  return {"maximum", zip("maximum", a, b, [](Real x, Real y) { return x > y || x != x ? x : y; }),
          rule("maximum", a, b, share), rule("maximum", b, a, share)};
}

Operation minimum_operation(const Tensor& a, const Tensor& b) {
  const auto share = [](Real x, Real y) { return x == y ? Real(0.5) : Real(x < y || x != x); };
  return {"minimum", zip("minimum", a, b, [](Real x, Real y) { return x < y || x != x ? x : y; }),
          rule("minimum", a, b, share), rule("minimum", b, a, share)};
}

Operation where_operation(const Tensor& condition, const Tensor& a, const Tensor& b) {
  check_defined("where", "the condition", condition);
  check_defined("where", "a", a);
  check_defined("where", "b", b);
  const Shape shape =
      broadcast_shapes("where", condition.shape(), broadcast_shapes("where", a.shape(), b.shape()),
                       "the condition", "the choice");
  const Tensor c = broadcast_to(condition, shape), left = broadcast_to(a, shape),
               right = broadcast_to(b, shape);
  Tensor y(shape);
  parallel_elements(y.size(), [choice = c.data(), u = left.data(), v = right.data(), to = y.unguarded_data()](
                                  Index first, Index last) {
#pragma omp simd
    for (Index i = first; i < last; ++i) to[i] = choice[i] != 0 ? u[i] : v[i];
  });
  // 0 where the other is taken, and not 0 times a gradient, which may be infinite.
  const auto if_taken = [](Real d, Real chosen) { return chosen != 0 ? d : Real(0); };
  const auto if_not = [](Real d, Real chosen) { return chosen != 0 ? Real(0) : d; };
  return {"where", y,
          [=, to = a.shape()](const Tensor& dy) { return sum_to(zip("where", dy, c, if_taken), to); },
          [=, to = b.shape()](const Tensor& dy) { return sum_to(zip("where", dy, c, if_not), to); }};
}

void require_same_shape(const char* operation, const Shape& x, const Shape& result) {
  if (result != x)
    throw std::invalid_argument(
        text(operation, ": what is assigned to must keep its shape: it is ", x, ", the result is ", result));
}

Tensor less(const Tensor& a, const Tensor& b) {
  return zip("less", a, b, [](Real x, Real y) { return Real(x < y); });
}
Tensor less_equal(const Tensor& a, const Tensor& b) {
  return zip("less_equal", a, b, [](Real x, Real y) { return Real(x <= y); });
}
Tensor is_equal(const Tensor& a, const Tensor& b) {
  return zip("is_equal", a, b, [](Real x, Real y) { return Real(x == y); });
}

void add_in_place(Tensor& sum, const Tensor& term) {
  check_defined("add_in_place", "sum", sum);
  check_defined("add_in_place", "term", term);
  require_same_shape("add_in_place", sum.shape(),
                     broadcast_shapes("add_in_place", sum.shape(), term.shape(), "sum", "term"));
  if (sum.is_shared())  // one pass instead of a copy and an addition
    sum = sum + term;
  else
    zip_to(sum, sum.data(), term.data(), {sum.shape(), sum.shape(), term.shape()}, sum_of);
}

void scale_in_place(Tensor& x, Real factor) {
  check_defined("scale_in_place", "x", x);
  parallel_elements(x.size(), [to = x.unguarded_data(), factor](Index first, Index last) {
#pragma omp simd
    for (Index i = first; i < last; ++i) to[i] *= factor;
  });
}

}  // namespace gradual
