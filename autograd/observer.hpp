// Watching a computation as it happens: each operation, and each step of the walk back.
#pragma once

#include <vector>

#include <gradual/autograd/var.hpp>

namespace gradual {

/// While one of these lives, it is told of the operations and backward passes of its thread. Several are told
/// in turn, the newest first.
///
/// What it throws comes out of the operation or of backward(), which leaves all gradients that are kept as
/// they were.
class GraphObserver {
 public:
  GraphObserver();
  virtual ~GraphObserver();
  GraphObserver(const GraphObserver&) = delete;
  GraphObserver& operator=(const GraphObserver&) = delete;

  /// An operation gave y. Its inputs are as it got them: constants too, and undefined ones where it does
  /// without. Operations that record nothing, as under NoGrad, are told of as well: their y is a constant.
  virtual void forward(const char* /*operation*/, const Var& /*y*/, const std::vector<Var>& /*inputs*/) {}
  /// What goes on instead of the y that forward() was told of, for experiments that change a computation from
  /// outside: numbers of its shape, or nothing. The slopes stay those of y.
  virtual Tensor instead_of(const Var& /*y*/) { return {}; }
  /// A walk back begins, with ∂L/∂y = seed for the y that it starts from.
  virtual void backward_begins(const Tensor& /*seed*/) {}
  /// dy = ∂L/∂y of an operation is complete; its rules come next.
  virtual void backward(const Node& /*node*/, const Tensor& /*dy*/) {}
  /// The rules of an operation have added to the gradients of its inputs.
  virtual void passed_back(const Node& /*node*/) {}

  /// Whether there is one on this thread.
  static bool listening();

 private:
  friend class Telling;
  GraphObserver* older_;
};

/// Tells all observers of this thread, as in `Telling().all(&GraphObserver::passed_back, node)`. What they
/// compute meanwhile they are not told of.
class Telling {
 public:
  Telling();
  ~Telling();
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;
  /// Calls a function of each, the newest first.
  template <class Event, class... What>
  void all(Event event, const What&... what) const {
    for (GraphObserver* each = newest_; each; each = each->older_) (each->*event)(what...);
  }
  /// y, or what the first that has something else puts in its place. Throws std::logic_error for another
  /// shape.
  Var chosen(const char* operation, const Var& y) const;

 private:
  GraphObserver* const newest_;
};

}  // namespace gradual
