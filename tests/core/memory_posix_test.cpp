// Memory at its end, and in a child process.
#include <gradual/core/memory.hpp>

#include <atomic>
#include <new>
#include <thread>

#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace gradual;

TEST_CASE("memory: blocks that nobody uses are given back before memory is said to be at its end") {
  if (!memory_can_be_limited()) return;
  CHECK(holds_in_child_process([] {
    constexpr std::size_t megabyte = std::size_t(1) << 20;
    const auto block_of = [](std::size_t bytes) { return Block(static_cast<Index>(bytes / sizeof(Real))); };
    release_unused_memory();
    const MemoryLimit limit(100 * megabyte);
    for (std::size_t size : {30 * megabyte, 60 * megabyte, 45 * megabyte, 80 * megabyte}) block_of(size);
    const Block kept = block_of(50 * megabyte);
    try {
      block_of(1000 * megabyte);
    } catch (const std::bad_alloc&) {
      return memory_statistics().bytes_held == memory_statistics().bytes_in_use;
    }
    return false;
  }));
}

TEST_CASE("memory: a child process can take blocks while threads of its parent do") {
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) const Block block(1000);
  });
  bool holds = true;
  for (int i = 0; i < 20; ++i)
    holds = holds && holds_in_child_process([] { return Block(1000).data() != nullptr; });
  done = true;
  other.join();
  CHECK(holds);
}
