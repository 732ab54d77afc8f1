// Finding the operation that made the first number that is none.
#pragma once

#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include <gradual/autograd/observer.hpp>

namespace gradual {

/// An operation made NaN or ∞ of finite numbers, forward or backward.
class AnomalyError : public std::runtime_error {
 public:
  /// The direction in which it happened.
  enum class Pass { forward, backward };
  AnomalyError(Pass where, std::string what_made_it, const std::string& message)
      : std::runtime_error(message), pass(where), operation(std::move(what_made_it)) {}

  Pass pass;
  std::string operation;  ///< such as "log"; "parameter" or "constant" for one that came in with NaN
};

/// While one of these lives, each result and each gradient on this thread is looked at, and the first that is
/// not finite is thrown as an AnomalyError, which names the operation, says what its inputs were, and near
/// which parameter it was.
///
/// An operation is to blame for a result with NaN when none of its inputs has any, and for ∞ or -∞ when all
/// its inputs are finite: -∞ in a mask, and the scores that it hides, are as they should be. A parameter with
/// ∞ or NaN, and a constant with NaN, are named themselves. Costs a few per cent of a training step. What was
/// computed is kept until the next step for the message.
class AnomalyDetection : public GraphObserver {
 public:
  void forward(const char* operation, const Var& y, const std::vector<Var>& inputs) override;
  void backward_begins(const Tensor& seed) override;
  void backward(const Node& node, const Tensor& dy) override;
  void passed_back(const Node& node) override;

 private:
  struct Seen {
    std::vector<Var> inputs;
    std::string near;
  };
  std::unordered_map<const Node*, Seen> seen_;  // results since the last backward pass
  std::string near_;                            // the parameter that was used last
  bool walked_ = false;
  std::vector<Tensor> dy_;  // of the operations whose rules are at work: several where one of them walks
};

}  // namespace gradual
