// Processes that train together, on one machine or many.
#pragma once

#include <future>
#include <memory>

#include <gradual/core/tensor.hpp>

namespace gradual {

class Worker;

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

  /// Which of the processes this is, counted from 0.
  int rank() const { return rank_; }
  /// How many processes there are.
  int size() const { return size_; }

  /// Starts to sum the numbers over all processes, which goes on beside whatever this one does next; the
  /// future has the sums. All processes start the same sums in the same order.
  std::future<Tensor> start_sum(Tensor numbers);
  /// The sum of the numbers of all processes.
  double sum(double number);
  /// Gives all processes the numbers of process 0.
  void broadcast(Real* numbers, Index count);
  /// Waits until all processes are here.
  void wait_for_all();
  /// Ends all processes: the others would wait for this one for ever.
  void abort();

 private:
  int rank_ = 0, size_ = 1;
  std::unique_ptr<Worker> worker_;  // null for one that is alone
};

}  // namespace gradual
