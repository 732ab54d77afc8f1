// Arithmetic, element by element: between tensors, variables and numbers in any order.
//
// Shapes broadcast as in NumPy: they are aligned at the last axis, and along each axis sizes are equal or one
// of them is 1. Shapes that do not fit, and tensors that are not defined, throw std::invalid_argument with
// the operation's name. Numbers and tensors give a Tensor; with a Var among them, a Var.
#pragma once

#include <utility>

#include <gradual/core/elements/operation.hpp>

namespace gradual {

/// y = a + b; a gets dy, and b dy.
Operation add_operation(const Tensor& a, const Tensor& b);
/// y = a - b; a gets dy, and b -dy.
Operation subtract_operation(const Tensor& a, const Tensor& b);
/// y = a·b; a gets dy·b, and b dy·a.
Operation multiply_operation(const Tensor& a, const Tensor& b);
/// y = a/b; a gets dy/b, and b -dy·y/b.
Operation divide_operation(const Tensor& a, const Tensor& b);
/// y = -x; x gets -dy.
Operation negate_operation(const Tensor& x);

/// The sum of a and b.
template <class A, class B>
JoinedWith<A, B> operator+(A&& a, const B& b) {
  return combine(add_operation, std::forward<A>(a), b);
}
/// The difference of a and b.
template <class A, class B>
JoinedWith<A, B> operator-(A&& a, const B& b) {
  return combine(subtract_operation, std::forward<A>(a), b);
}
/// The product of a and b.
template <class A, class B>
JoinedWith<A, B> operator*(A&& a, const B& b) {
  return combine(multiply_operation, std::forward<A>(a), b);
}
/// The quotient of a and b.
template <class A, class B>
JoinedWith<A, B> operator/(A&& a, const B& b) {
  return combine(divide_operation, std::forward<A>(a), b);
}
/// -x
template <class X>
Operand<X> operator-(const X& x) {
  return apply(negate_operation, x);
}

/// Throws std::invalid_argument where a result does not have the shape of the x that it is assigned to.
void require_same_shape(const char* operation, const Shape& x, const Shape& result);
/// x ← result; throws std::invalid_argument when the shape of x would change.
template <class X>
X& assign(const char* operation, X& x, X result) {
  require_same_shape(operation, x.shape(), result.shape());
  return x = std::move(result);
}
/// X&, for a result on X and Y that is an X.
template <class X, class Y>
using Assigned = std::enable_if_t<std::is_same_v<Joined<X, Y>, X>, X>&;

/// x = x + y, for a y that is repeatable to the shape of x. A Var becomes the result, as if that
/// were written out: the variable that it named before does not change.
template <class X, class Y>
Assigned<X, Y> operator+=(X& x, const Y& y) {
  return assign<X>("add", x, x + y);
}
/// x = x - y in the same way.
template <class X, class Y>
Assigned<X, Y> operator-=(X& x, const Y& y) {
  return assign<X>("sub", x, x - y);
}
/// x = x·y in the same way.
template <class X, class Y>
Assigned<X, Y> operator*=(X& x, const Y& y) {
  return assign<X>("mul", x, x * y);
}
/// x = x/y in the same way.
template <class X, class Y>
Assigned<X, Y> operator/=(X& x, const Y& y) {
  return assign<X>("div", x, x / y);
}

/// The larger of a and b; NaN where either is. Where they are equal, each gets half of the gradient.
Operation maximum_operation(const Tensor& a, const Tensor& b);
template <class A, class B>
Joined<A, B> maximum(const A& a, const B& b) {
  return combine(maximum_operation, a, b);
}
/// The smaller of a and b; NaN where either is. Where they are equal, each gets half of the gradient.
Operation minimum_operation(const Tensor& a, const Tensor& b);
template <class A, class B>
Joined<A, B> minimum(const A& a, const B& b) {
  return combine(minimum_operation, a, b);
}
/// a where the condition is not 0, else b; all three broadcast. What is not taken gets no gradient.
Operation where_operation(const Tensor& condition, const Tensor& a, const Tensor& b);
template <class A, class B>
Joined<Joined<Tensor, A>, B> where(const Tensor& condition, const A& a, const B& b) {
  using X = Joined<Joined<Tensor, A>, B>;
  const auto choice = [&](const Tensor& x, const Tensor& y) { return where_operation(condition, x, y); };
  return combine(choice, operand_as<X>(a), operand_as<X>(b));
}

/// A Tensor, for A and B that can be joined.
template <class A, class B>
using Compared = std::enable_if_t<!std::is_void_v<Joined<A, B>>, Tensor>;
/// 1 where a < b, else 0; both broadcast. Where either is NaN it is 0.
Tensor less(const Tensor& a, const Tensor& b);
/// 1 where a <= b, else 0; both broadcast. Where either is NaN it is 0.
Tensor less_equal(const Tensor& a, const Tensor& b);
/// 1 where a = b, else 0; both broadcast. Where either is NaN it is 0.
Tensor is_equal(const Tensor& a, const Tensor& b);

/// 1 where the comparison holds, else 0, and 0 where NaN is compared: a Tensor, since it has no slope, such
/// as `where` takes. Equality is a function: `==` of two tensors would read like one answer.
template <class A, class B>
Compared<A, B> operator<(const A& a, const B& b) {
  return less(tensor_of(a), tensor_of(b));
}
template <class A, class B>
Compared<A, B> operator<=(const A& a, const B& b) {
  return less_equal(tensor_of(a), tensor_of(b));
}
template <class A, class B>
Compared<A, B> operator>(const A& a, const B& b) {
  return less(tensor_of(b), tensor_of(a));
}
template <class A, class B>
Compared<A, B> operator>=(const A& a, const B& b) {
  return less_equal(tensor_of(b), tensor_of(a));
}
template <class A, class B>
Compared<A, B> is_equal(const A& a, const B& b) {
  return is_equal(tensor_of(a), tensor_of(b));
}

/// sum ← sum + term, for a term that is repeatable to the shape of the sum.
void add_in_place(Tensor& sum, const Tensor& term);
/// x ← x·factor.
void scale_in_place(Tensor& x, Real factor);

}  // namespace gradual
