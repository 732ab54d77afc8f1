// Any step of a training again: sparse snapshots on the way, and the steps from the nearest one on.
#pragma once

#include <functional>
#include <string>

#include <gradual/nn/training/trainer.hpp>

namespace gradual {

/// Snapshots of a training at even distances, few enough to fit into some space.
class TrainingHistory {
 public:
  /// For `steps` steps of a training whose state has `bytes`: as many snapshots as fit into `megabytes` of
  /// 10⁶ bytes, at least 50 steps apart. They are FOLDER/history-STEP.safetensors.
  TrainingHistory(std::string folder, Index steps, double bytes, double megabytes);

  /// Steps from one to the next; 0: there are none.
  Index every() const { return every_; }
  bool is_due(Index step) const { return every_ > 0 && step % every_ == 0 && step < steps_; }
  std::string path(Index step) const;

  /// The latest snapshot of a folder that is not after a step; empty where there is none.
  static std::string latest(const std::string& folder, Index step);
  /// Takes away the snapshots after a step: another run begins there.
  static void remove_after(const std::string& folder, Index step);

 private:
  std::string folder_;
  Index steps_, every_;
};

/// Brings a training that has not begun, or is not as far, to where it was after a step: from the latest
/// snapshot of the folder, or from where it is, by the same steps with the same bits. `accept` sees the note
/// of a snapshot, as in load_checkpoint(). Throws FileError, std::invalid_argument for a step below 0, and
/// std::runtime_error where the training ends before the step.
void make_again(Trainer& trainer, Random& random, const std::string& folder, Index step,
                const LossOfBatch& loss_of_batch,
                const std::function<void(const std::string& note)>& accept = {});

}  // namespace gradual
