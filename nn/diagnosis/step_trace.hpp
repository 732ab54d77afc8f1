// What a training step computed, tensor by tensor, small enough to be kept: to find where two runs part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <gradual/autograd/observer.hpp>
#include <gradual/nn/module.hpp>

namespace gradual {

/// A tensor by its bits.
struct TensorTrace {
  std::string name;        ///< such as "forward: linear (operation 5, [2, 3, 20], in output)"
  std::uint64_t checksum;  ///< of its numbers (FNV-1a): the same for the same bits
  double size;             ///< the mean of their absolute values, for people
};

/// The tensors of a step, in the order in which they were made: results, gradients of results, and the
/// parameters after the update. Step 0 has the parameters that training begins with.
struct StepTrace {
  Index step;                        ///< counted from 1
  std::vector<TensorTrace> tensors;  ///< in the order in which they were made

  /// A line of JSON, and back. Throws std::exception for another text.
  std::string line() const;
  static StepTrace from_line(const std::string& line);
};

/// The lines of a file; none where there is no file. Throws FileError, with the line that is damaged.
std::vector<StepTrace> read_step_traces(const std::string& path);

/// While it lives, writes down what this thread computes.
class StepTracer : public GraphObserver {
 public:
  /// Forgets what was computed so far, such as a look at validation sentences.
  void begin() { computed_ = {}; }
  /// What was computed since, with the parameters as they are now.
  StepTrace finish(Index step, const std::vector<NamedParameter>& parameters);

  void forward(const char* operation, const Var& y, const std::vector<Var>& inputs) override;
  void backward(const Node& node, const Tensor& dy) override;

 private:
  struct Computed {
    std::vector<TensorTrace> tensors;
    std::unordered_map<std::uint64_t, std::string> names;  // of operations, by the numbers of their nodes
    std::string layer;
    Index operations = 0;
  };
  Computed computed_;
};

/// Where two runs part: the first tensor that is not the same.
struct TraceDifference {
  Index step;
  std::string tensor;  ///< its name in the first run
  std::string text;    ///< all that in a sentence
};
/// Compares the steps that both have. Nothing where all of them are the same.
std::optional<TraceDifference> trace_difference(const std::vector<StepTrace>& first,
                                                const std::vector<StepTrace>& second);

}  // namespace gradual
