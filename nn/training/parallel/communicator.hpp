// Processes that train together, on one machine or many.
#pragma once

#include <memory>

#include <gradual/core/real.hpp>

namespace gradual {

/// The processes that `mpirun` started together (MPI; Message Passing Interface Forum). A program that was
/// not started by it, or was built without -DGRADUAL_MPI=ON, is alone: one process of rank 0.
class Communicator {
 public:
  /// Throws std::logic_error when there is one already, and where mpirun started a program without MPI: each
  /// of its processes would do all of the work.
  Communicator();
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// A sum under way.
  class Sum {
   public:
    /// Lets it get on without waiting for it.
    void progress();
    void wait();

   private:
    friend class Communicator;
    struct Request;
    std::shared_ptr<Request> request_;
  };
  /// Starts to replace the numbers by their sums over all processes; they must not be touched before wait().
  /// All processes start the same sums in the same order.
  Sum start_sum(Real* numbers, Index count);
  double sum(double number);
  /// Gives all processes the numbers of process 0.
  void broadcast(Real* numbers, Index count);
  /// Waits until all processes are here.
  void wait_for_all();
  /// Ends all processes: the others would wait for this one for ever.
  void abort();

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace gradual
