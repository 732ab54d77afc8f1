// Parameters that a loss does not reach, and what cut them off.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/module.hpp>

namespace gradual {

/// A parameter that learns nothing from a loss, and why.
struct DeadPath {
  enum class Cause {
    unused,  ///< no operation reads it
    cut,     ///< the loss is made without what was made of it, or of its values alone
    zero     ///< its gradient is 0 in all places
  };
  std::string parameter;  ///< its name
  Cause cause;            ///< why no gradient reaches it
  /// The operation that is to blame: the youngest that the parameter still reaches; the one that read the
  /// parameter itself as a constant or recorded nothing; or the one whose rule made the gradient 0. Empty for
  /// an unused parameter.
  std::string operation;
  std::string text;  ///< all that in a sentence
};

/// Computes a loss and its gradient once, and finds the parameters whose gradient is missing, or 0 in all
/// places. Their gradients are afterwards as they were before.
///
/// Of a parameter that several operations cut off, the youngest of them is named. Throws what `loss` throws,
/// and std::invalid_argument unless it gives one number.
std::vector<DeadPath> find_dead_paths(const std::vector<NamedParameter>& parameters,
                                      const std::function<Var()>& loss);

}  // namespace gradual
