// How much memory tensors may ask for, where a stranger says how large they are.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace gradual {

/// What a tensor throws that would exceed an AllocationLimit.
struct AllocationLimitError : std::length_error {
  using std::length_error::length_error;
};

/// While one lives, the tensors that this thread makes may take so many bytes in all, those that are gone by
/// then among them: what is asked for beyond that throws AllocationLimitError before any of it is taken. A
/// tensor counts as `smallest` bytes at least, which is about what it costs with what stands around it. Of
/// several limits, each holds.
class AllocationLimit {
 public:
  /// As many bytes each tensor counts at least.
  static constexpr std::int64_t smallest = 1024;
  /// Throws std::invalid_argument for a negative number.
  explicit AllocationLimit(std::int64_t bytes);
  ~AllocationLimit();
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;

 private:
  std::int64_t bytes_;
  std::int64_t kept_back_;  // what the limit around it has beyond that
};

}  // namespace gradual
