// Training that can be interrupted: everything a later run needs to go on, in one file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/training/averaging.hpp>
#include <gradual/nn/training/optimizer.hpp>

namespace gradual {

/// What a run of training changes: the parameters, the optimizer's state, the random stream, and how far it
/// is.
struct TrainingState {
  std::vector<NamedParameter> parameters;  // of the model
  Optimizer& optimizer;                    // with its running means
  Random random;                           // the stream that dropout draws from
  Index steps = 0;                         // done
  std::string note;                        // what the program wants to find again, such as its settings
  NamedTensors extra = {};                 // more tensors, such as averages
  std::vector<double> numbers = {};        // and numbers, which are kept to the last bit
};

/// Writes the state, wholly or not at all. Throws FileError.
void save_checkpoint(const std::string& path, const TrainingState& state);
/// Reads it back into the same parameters, optimizer and stream; further training gives the bits it would
/// have given without the interruption. Throws FileError for a file that is not a checkpoint, is damaged,
/// belongs to another model, or lacks one of the tensors in state.extra; then nothing has changed. `accept`
/// sees the note before that, and may throw.
void load_checkpoint(const std::string& path, TrainingState& state,
                     const std::function<void(const std::string& note)>& accept = {});
/// Its note alone. Throws FileError for a file that is not a checkpoint or is damaged.
std::string checkpoint_note(const std::string& path);

}  // namespace gradual
