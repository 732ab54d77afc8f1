// Where the time of a training step goes: each operation, forward and backward.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gradual/core/machine.hpp>
#include <gradual/core/real.hpp>

namespace gradual {

/// What some calls of one operation took.
struct ProfiledWork {
  Index calls = 0;     ///< how often it ran
  double seconds = 0;  ///< how long that took, all calls together
  double flops = 0;    ///< in matrix products
  double bytes = 0;    ///< of the tensors that it read and made, each counted once
};

/// What all calls of one operation took, in either direction.
struct ProfiledOperation {
  std::string name;                ///< of the operation
  ProfiledWork forward, backward;  ///< in the two passes
};

/// While one of these lives, operations that are recorded on this thread, and backward passes, are timed.
///
/// An operation is recorded when its value is there: what it took is the time since the operation before. So
/// what a program does between operations would count for the next one, unless it says what it did with
/// Profiler::mark(). Operations that record nothing, as under NoGrad, are not seen.
class Profiler {
 public:
  /// The time in seconds, from any beginning.
  using Clock = double (*)();
  /// The seconds of a clock that nobody sets.
  static double steady_seconds();

  explicit Profiler(Clock clock = steady_seconds);
  ~Profiler();
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  /// The profiler of this thread, or null.
  static Profiler* current();
  /// The time since the last event was spent on `what`; nothing where there is no profiler.
  static void mark(const char* what);

  /// The time since the last event was spent on an operation, which touched so many bytes.
  void add_forward(const char* operation, double bytes) {
    add(&ProfiledOperation::forward, operation, bytes);
  }
  /// The same for its way back.
  void add_backward(const char* operation, double bytes) {
    add(&ProfiledOperation::backward, operation, bytes);
  }

  /// By falling time.
  std::vector<ProfiledOperation> operations() const;

 private:
  void add(ProfiledWork ProfiledOperation::*part, const char* operation, double bytes);

  Profiler* before_;
  Clock clock_;
  double last_time_;
  std::int64_t last_flops_;
  std::map<std::string, ProfiledOperation> operations_;
};

/// A table for people: time, calls, GFLOP, GB, and the share of the limit: the least time in which the
/// machine could do the products and move the bytes, whichever takes longer, divided by the time that it
/// took. Figures are those of a step where `steps` steps were profiled. Throws std::invalid_argument unless
/// `steps` and the limits are positive.
std::string profile_table(const std::vector<ProfiledOperation>& operations, const MachineLimits& limits,
                          Index steps = 1);

}  // namespace gradual
