// Seeded random numbers: the only source of chance in the library.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// A reproducible stream of random numbers; copies draw from the same stream, as copies of a Var are the same
/// variable.
///
/// The n-th number is a hash of the seed and n (SplitMix64; Steele, Lea and Flood 2014), so the whole state
/// is two integers: a training run can store them and go on later with the same bits.
class Random {
 public:
  /// All that the next numbers depend on: two generators in one state draw the same.
  struct State {
    std::uint64_t seed;      // which sequence of numbers it is
    std::uint64_t position;  // how many were drawn
  };

  /// Equal seeds give equal numbers.
  explicit Random(std::uint64_t seed) : state_(std::make_shared<State>(State{seed, 0})) {}

  /// What set_state() takes, to draw the same numbers again.
  State state() const { return *state_; }
  /// Goes on where that state was taken.
  void set_state(State state) { *state_ = state; }
  /// A stream of its own, determined by this one's state; draws one number from this one.
  Random split() { return Random(next_u64()); }

  /// The next 64 random bits.
  std::uint64_t next_u64();
  /// Uniform in [0, 1).
  double uniform();
  /// Normal with mean 0 and standard deviation 1 (Box and Muller 1958).
  double normal();
  /// Uniform in 0 … bound - 1, without bias; throws std::invalid_argument when bound is not positive.
  Index below(Index bound);
  /// The numbers 0 … count - 1 in random order (Fisher and Yates).
  std::vector<Index> permutation(Index count);

 private:
  std::shared_ptr<State> state_;
};

}  // namespace gradual
