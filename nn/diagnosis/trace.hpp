// What a computation did: its operations, in order, and what each was made of.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <gradual/autograd/observer.hpp>

namespace gradual {

/// An operation of a trace.
struct TracedOperation {
  /// Where an input came from.
  struct Source {
    Index made_by;  ///< the number of an operation of the trace; -1: none of them
    bool passes;    ///< whether a gradient comes back this way: neither end of it is a constant
  };
  std::string name;
  std::string layer;  ///< whose parameters it uses, such as "encoder.0.feed_forward.inner"; empty: none's
  Var result;
  std::vector<Var> inputs;
  std::vector<Source> sources;  ///< one for each input
};

/// The operations of a computation, in order; each has its place as a number.
class TracedOperations : public std::vector<TracedOperation> {
 public:
  Index count() const { return static_cast<Index>(size()); }
  const TracedOperation& operator[](Index number) const { return data()[number]; }
  /// The layer of an operation; of one without parameters, that of the last one before it that has some.
  const std::string& layer_of(Index number) const;
  /// Such as `relu (operation 12, [2, 7, 64], in encoder.0.feed_forward.inner)`.
  std::string description(Index number) const;
};

/// While it lives, writes down the operations of its thread, recorded or not, and keeps all results.
///
/// A constant that is the value of a result, by `detached()` or `value()`, is known for what it is, since
/// both have their numbers at one place. What is computed of tensors, and not of variables, is not seen.
class Trace : public GraphObserver {
 public:
  void forward(const char* operation, const Var& y, const std::vector<Var>& inputs) override;

  /// What was computed while it lived.
  const TracedOperations& operations() const { return operations_; }
  /// The operation that made x, or whose value x is; -1 where there is none.
  Index maker(const Var& x) const;
  /// The operation that made this node, by which gradients come back; -1 where there is none.
  Index maker(const Node* node) const;

 private:
  TracedOperations operations_;
  std::unordered_map<const Node*, Index> by_node_;
  std::unordered_map<const Real*, Index> by_numbers_;  // where the numbers of a result are, the youngest such
};

/// The layer of a parameter: its name without the last part.
std::string layer_of(const std::string& parameter);

}  // namespace gradual
