// Pooled memory for tensors.
//
// A training step asks for the same sizes again and again. Fresh memory from the system costs a page fault
// for every 4 KiB, several times the price of the addition that fills it, so freed blocks are kept by size
// and handed out again.
#pragma once

#include <cstdint>

#include <gradual/core/real.hpp>

namespace gradual {

/// What the pool has done so far, in bytes and calls.
struct MemoryStatistics {
  std::int64_t bytes_in_use;     ///< in blocks that are handed out now
  std::int64_t peak_bytes;       ///< the largest bytes_in_use since reset_peak_memory()
  std::int64_t bytes_held;       ///< in use or kept for reuse
  std::int64_t system_requests;  ///< how often the system was asked for memory
};

/// What this process holds, and how often it asked for more.
MemoryStatistics memory_statistics();
/// Starts a new measurement of peak_bytes.
void reset_peak_memory();
/// Gives all blocks that are kept for reuse back to the system.
void release_unused_memory();

/// A counted reference to a block of numbers from the pool, aligned to 64 bytes. The last reference returns
/// the block.
class Block {
 public:
  Block() = default;
  explicit Block(Index count);  ///< uninitialised; throws std::bad_alloc when there is not so much memory
  Block(const Block& other);
  Block(Block&& other) noexcept : header_(other.header_) { other.header_ = nullptr; }
  Block& operator=(Block other) noexcept;
  ~Block();

  /// The first number, or null where there is no block.
  Real* data() const;
  /// True when there is another reference to the block.
  bool is_shared() const;

 private:
  struct Header;
  friend class Pool;
  Header* header_ = nullptr;
};

}  // namespace gradual
