// How an operation is defined once, value and gradient side by side, and serves tensors and variables alike.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include <gradual/core/tensor.hpp>

namespace gradual {

/// dy = ∂L/∂y ↦ Jᵀ·dy = ∂L/∂x for one input x. A rule that takes dy by value may write its result over it.
using Rule = std::function<Tensor(Tensor dy)>;
/// A Rule that adds its result in place to the sum of gradients that x has from elsewhere: where it need not
/// be in memory of its own.
using Addition = std::function<void(const Tensor& dy, Tensor& sum)>;

/// What an operation gives for tensors: the value y and, for each of one or two inputs, its rule.
///
/// `apply` and `combine` take a function that returns one. Of tensors they give y. Where a Var is among the
/// inputs (autograd/operations.hpp), they give a Var that records the rules.
struct Operation {
  const char* name;       // of the operation, for messages
  Tensor value;           // its result
  Rule da = {}, db = {};  // give the gradients of its inputs for that of the result
  Addition add_da = {};   // where there is one beside da
};

/// True for the types that operations take: Tensor and, one floor up, Var.
template <class X>
struct IsOperand : std::false_type {};
template <>
struct IsOperand<Tensor> : std::true_type {};

/// X, for types that operations take.
template <class X>
using Operand = std::enable_if_t<IsOperand<X>::value, X>;

/// What an operation on A and B gives, of which one may be a number: a Var where one is a Var, else a Tensor.
template <class A, class B>
using Joined =
    std::enable_if_t<(IsOperand<A>::value || std::is_arithmetic_v<A>)&&(
                         IsOperand<B>::value || std::is_arithmetic_v<B>)&&(IsOperand<A>::value ||
                                                                           IsOperand<B>::value),
                     std::conditional_t<std::is_arithmetic_v<A> || std::is_same_v<A, Tensor>,
                                        std::conditional_t<std::is_arithmetic_v<B>, Tensor, B>, A>>;
/// The same, for an A that may be a reference.
template <class A, class B>
using JoinedWith = Joined<std::decay_t<A>, B>;

/// The numbers of an operand.
inline const Tensor& tensor_of(const Tensor& x) { return x; }
inline Tensor tensor_of(Real x) { return Tensor::scalar(x); }

/// The operand or number as an X: a Tensor or a Var.
template <class X, class A>
decltype(auto) operand_as(A&& a) {
  if constexpr (std::is_same_v<std::decay_t<A>, X>)
    return std::forward<A>(a);  // the reference
  else if constexpr (std::is_arithmetic_v<std::decay_t<A>>)
    return X(Tensor::scalar(static_cast<Real>(a)));
  else
    return X(a);
}

/// operation(x, parameters…)
template <class Function, class... Parameters>
Tensor apply(const Function& operation, const Tensor& x, const Parameters&... parameters) {
  return operation(x, parameters...).value;
}
/// operation(a, b)
template <class Function>
Tensor apply_both(const Function& operation, const Tensor& a, const Tensor& b) {
  return operation(a, b).value;
}
/// operation(a, b), of which one may be a number.
template <class Function, class A, class B>
JoinedWith<A, B> combine(const Function& operation, A&& a, const B& b) {
  using X = JoinedWith<A, B>;
  return apply_both(operation, operand_as<X>(std::forward<A>(a)), operand_as<X>(b));
}

}  // namespace gradual
