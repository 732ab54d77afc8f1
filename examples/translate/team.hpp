// Training by several processes: who works on what, and what all must know alike.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/training/averaging.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/parallel/communicator.hpp>

#include "settings.hpp"

class Team {
 public:
  explicit Team(gradual::Communicator& communicator) : communicator_(communicator) {}
  gradual::Communicator& communicator() const { return communicator_; }
  bool is_alone() const { return communicator_.size() == 1; }
  /// Whether this is the process whose files and words count.
  bool leads() const { return communicator_.rank() == 0; }
  /// True for all when it is true for one: processes must not part ways.
  bool any(bool own) const { return communicator_.sum(own ? 1 : 0) > 0; }

  /// The settings of this process: one that does not lead is silent and has a folder of its own.
  TrainSettings own(TrainSettings settings) const;
  /// Another stream for each process, so that their dropout differs.
  void separate(gradual::Random& random) const;

  /// This process's rows of a batch, and what part of the batch's target words they hold. A process without
  /// rows gets one that counts nothing: all take part in every sum.
  struct Share {
    std::vector<gradual::Index> rows;
    double part;
  };
  Share share_of(const std::vector<gradual::Index>& rows, const gradual::EncodedPairs& pairs) const;

  // What the leading process planned, or read from its checkpoint, becomes that of all.

  void spread(std::string& text) const;
  void spread(std::vector<double>& numbers) const;
  void spread(gradual::NamedTensors& tensors) const;

 private:
  gradual::Communicator& communicator_;
};
