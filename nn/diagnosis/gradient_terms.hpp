// Why a number of a gradient is what it is: the terms that it is the sum of, back to the loss.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/module.hpp>

namespace gradual {

/// One term of ∂L/∂x = Σ_j ∂y_j/∂x · ∂L/∂y_j, where y are the results of all operations that read x.
struct GradientTerm {
  Index operation;           ///< its number in the computation, counted from 1
  std::string name;          ///< such as "linear (operation 5, [2, 3, 20], in output)"
  std::vector<Index> place;  ///< j
  double result;             ///< y_j
  double slope;              ///< ∂y_j/∂x
  double dy;                 ///< ∂L/∂y_j
  double contribution;       ///< slope·dy
};

/// A number x, its gradient, and the terms of that.
struct GradientStep {
  std::string name;                 ///< of the parameter or operation that x is of
  std::vector<Index> place;         ///< x's place in it
  double value;                     ///< x
  double gradient;                  ///< ∂L/∂x by backward(): for the loss itself, 1
  std::vector<GradientTerm> terms;  ///< the largest, by their absolute values
  Index others = 0;                 ///< how many more there are
  double sum_of_others = 0;

  /// All terms together: the gradient, but for rounding.
  double sum() const;
};

/// What explain_gradient() keeps.
struct GradientTermOptions {
  Index terms = 3;    ///< of each step
  Index steps = 200;  ///< the most; the path to the loss may be shorter
};

/// A number of a gradient and, step by step, the largest term of each, up to the loss.
struct GradientPath {
  std::vector<GradientStep> steps;  ///< from the parameter to the loss

  /// The path as lines, for people.
  std::string text() const;
};

/// Computes a loss and its gradient, and follows ∂L/∂x[place] back to the loss by the largest terms.
///
/// Rules are linear in dy, so a rule applied to a part of dy gives what that part contributes; the parts that
/// contribute are found by halving. All gradients are afterwards as they were before. Throws
/// std::invalid_argument unless the loss is one number, x is a parameter that it depends on and has this
/// place, its gradient there is finite, and the options are positive.
GradientPath explain_gradient(const std::function<Var()>& loss, const Var& x, const std::vector<Index>& place,
                              const GradientTermOptions& options = {});

/// A number of a parameter.
struct ParameterPlace {
  NamedParameter parameter;
  std::vector<Index> place;
};
/// The number with the largest of all gradients that parameters have, without those that are not finite.
/// Throws std::logic_error where there is none.
ParameterPlace largest_gradient(const std::vector<NamedParameter>& parameters);

/// The path as an SVG: a bar for each step, cut into its terms.
std::string draw_gradient(const GradientPath& path);
/// The path as a page: the picture, and a table for each step.
std::string gradient_page(const GradientPath& path);

}  // namespace gradual
