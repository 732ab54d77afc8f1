// Data-parallel training: each process has the whole model and works on its share of every batch.
#pragma once

#include <unordered_map>
#include <vector>

#include <gradual/nn/module.hpp>
#include <gradual/nn/training/parallel/communicator.hpp>

namespace gradual {

/// Sums gradients over processes while backward() still computes others (Li et al. 2020, §3.2.3): parameters
/// are put into buckets, the last ones first, since their gradients come first; a bucket whose gradients are
/// complete is on its way while the next one fills.
class DataParallel : private GradientListener {
 public:
  /// Gives all processes the parameters of process 0. A bucket is sent in as many parts as there are
  /// processes; with parts of fewer than `bytes_each`, waiting would take longer than sending.
  DataParallel(Communicator& communicator, std::vector<NamedParameter> parameters,
               Index bytes_each = Index(1) << 19);

  /// From now on, what backward() completes is sent.
  void start();
  /// Waits for all sums; then each parameter's gradient is that of all processes together, and none where no
  /// process has one.
  void finish();

 private:
  struct Bucket {
    std::vector<Var> parameters;
    Tensor numbers;  // their gradients, one after the other, each behind a 1, or a 0 where there is none
    std::size_t complete = 0;
    std::future<Tensor> sum;  // while they are on their way
  };

  void complete(const Node& parameter) override;
  void send(Bucket& bucket);

  Communicator& communicator_;
  std::vector<Bucket> buckets_;
  std::unordered_map<const Node*, std::size_t> bucket_of_;
  std::size_t sent_ = 0;  // buckets; all processes send them in the same order
};

}  // namespace gradual
