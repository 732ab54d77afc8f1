// Checking gradients against finite differences.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gradual/autograd/var.hpp>

namespace gradual {

/// How check_gradients() measures.
struct GradientCheckOptions {
  /// h, for parameters of magnitude 1. 0: ε^(1/5), 6.4e-4 in double and 0.036 in float, where the error of
  /// the formula, which grows with h⁴, meets that of rounding, which grows with ε/h. At least √ε.
  double step = 0;
  /// The largest relative error that passes. 0: 1e-6 in double and 1e-2 in float, which resolves no more.
  /// Below 1.
  double tolerance = 0;
  /// Elements looked at in each parameter, chosen at random; 0: all of them.
  Index samples = 0;
  std::uint64_t seed = 1;  ///< of the choice of elements
};

/// What check_gradients() found; true when every element agrees.
struct GradientCheck {
  /// One number of one parameter, with its gradient in both ways.
  struct Element {
    std::string parameter;        ///< the name of the parameter it is of
    std::vector<Index> position;  ///< in its parameter, such as {3, 0}
    double gradient;              ///< by backward()
    double difference;            ///< by finite differences
    double relative_error;        ///< how far the two are apart, beside their size
  };
  Element worst;        ///< the one with the largest relative error
  Index checked = 0;    ///< elements looked at
  Index different = 0;  ///< elements beyond the tolerance
  double tolerance = 0;
  /// Parameters that the loss does not depend on: no gradient reaches them, and moving them changes nothing.
  std::vector<std::string> unused;

  explicit operator bool() const { return different == 0; }
  /// A sentence: how many elements differ, and the worst of them with its place and both values.
  std::string to_string() const;
};

/// Prints to_string().
std::ostream& operator<<(std::ostream& out, const GradientCheck& check);

/// Compares the gradients that backward() computes with finite differences of the loss, one element x of the
/// named parameters at a time (Abramowitz and Stegun 1964, 25.3.6; it is wrong by h⁴·L⁽⁵⁾/30):
///   ∂L/∂x ≈ (8·(L(x+h) - L(x-h)) - (L(x+2h) - L(x-2h))) / 12h.
/// The relative error of g against d is |g - d| / max(|g|, |d|, floor). The floor keeps gradients near zero
/// from being measured against the rounding of L: it is the size at which that rounding, 32·ε·max(1, |L|)/h,
/// is as large as the tolerance. An element that differs is measured again with steps of h/8 and h/64, since
/// the wider ones may have crossed a kink, such as that of relu at 0.
///
/// `loss` computes a scalar from the parameters anew each time, and the same one each time: dropout needs a
/// fixed mask. Values of the parameters are as before afterwards, and their gradients are cleared. Throws
/// std::invalid_argument when the loss has more than one element, differs between two calls or is not a
/// number, when there is no parameter or none with an element, or one of them is a constant or the result of
/// an operation, and when an option would let any gradient pass.
GradientCheck check_gradients(const std::function<Var()>& loss,
                              const std::vector<std::pair<std::string, Var>>& parameters,
                              const GradientCheckOptions& options = {});

/// Σ_i w_i·y_i with fixed random weights of either sign: a scalar that each element of y changes, to check an
/// operation whose output has many. (A plain sum would hide errors: that of a softmax is always 1.)
Var weighted_sum(const Var& y, std::uint64_t seed = 1);

}  // namespace gradual
