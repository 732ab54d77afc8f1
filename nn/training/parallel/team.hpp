// Training by several processes: who works on what, and what all must know alike.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/training/averaging.hpp>
#include <gradual/nn/training/parallel/communicator.hpp>

namespace gradual {

/// Processes that train one model together, and this one's place among them.
class Team {
 public:
  /// The communicator must live as long.
  explicit Team(Communicator& communicator) : communicator_(communicator) {}
  /// What they talk through.
  Communicator& communicator() const { return communicator_; }
  /// Whether there is one process only.
  bool is_alone() const { return communicator_.size() == 1; }
  /// Whether this is the process whose files and words count.
  bool leads() const { return communicator_.rank() == 0; }
  /// True for all when it is true for one: processes must not part ways.
  bool any(bool own) const { return communicator_.sum(own ? 1 : 0) > 0; }

  /// Another stream for each process, so that their dropout differs.
  void separate(Random& random) const;
  /// Its stream goes on where that of the leading process does, though its share had no masks to draw, or
  /// others: so it is in a run that goes on from the leading one's checkpoint.
  void align(Random& random) const;
  /// This process's rows of a batch, in turn; there may be none.
  std::vector<Index> share_of(const std::vector<Index>& rows) const;

  // What the leading process planned, or read from its checkpoint, becomes that of all.

  void spread(std::string& text) const;
  void spread(std::vector<double>& numbers) const;
  void spread(NamedTensors& tensors) const;

 private:
  Communicator& communicator_;
};

}  // namespace gradual
