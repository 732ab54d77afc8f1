// Which operation of a computation has a wrong derivative.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/module.hpp>

namespace gradual {

/// How find_wrong_rules() measures; 0 stands for what check_gradients() takes: see GradientCheckOptions.
struct RuleCheckOptions {
  double step = 0;       ///< of a number, as a share of its size
  double tolerance = 0;  ///< the largest relative error that passes
  std::uint64_t seed = 1;
};

/// An operation whose rule for an input is not the derivative of what it computes.
struct WrongRule {
  Index number;           ///< of the operation in the computation, counted from 1
  std::string operation;  ///< such as "softmax"
  std::string input;      ///< a parameter, or the operation that made it
  double by_rule;         ///< ⟨Jᵀw, v⟩ for random w and v
  double by_difference;   ///< ⟨w, Jv⟩
  std::string text;       ///< all that in a sentence
};

/// Checks each rule of a computation by itself, in the place and with the numbers that it has there, and
/// gives those that are wrong, the earliest operation first.
///
/// The loss is computed anew with one parameter or result moved a little, while all other results are put
/// back to what they were: so an operation sees what moved and nothing else, and its own result tells ⟨w, Jv⟩
/// by the differences of check_gradients(). A wrong rule hides none behind it. Where the loss computes with
/// the numbers of a variable outside all operations (`x.value()`), their slope is not known and counts as
/// wrong.
///
/// A step for each result: seconds for a small model. Values and gradients are afterwards as before. Throws
/// std::invalid_argument unless the loss is the same each time (dropout: see EvaluationScope), and for
/// options that are not finite or below 0.
std::vector<WrongRule> find_wrong_rules(const std::function<Var()>& loss,
                                        const RuleCheckOptions& options = {});

}  // namespace gradual
