#include <gradual/core/memory.hpp>

#include <cstdint>
#include <limits>
#include <new>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using namespace gradual;

namespace {

std::int64_t bytes_of(Index count) { return count * static_cast<std::int64_t>(sizeof(Real)); }

}  // namespace

TEST_CASE("memory: blocks of all sizes start at a multiple of 64 bytes and can be written to their end") {
  for (Index count : {0, 1, 15, 16, 17, 1000, 12345, 1 << 20}) {
    const Block block(count);
    CHECK(reinterpret_cast<std::uintptr_t>(block.data()) % 64 == 0);
    for (Index i = 0; i < count; ++i) block.data()[i] = static_cast<Real>(i);
  }
}

TEST_CASE("memory: sizes that were in use before need nothing from the system") {
  const auto step = [] {
    std::vector<Block> blocks;
    for (Index count : {100, 1000, 100, 50000, 1000}) blocks.emplace_back(count);
  };
  step();
  const auto requests = memory_statistics().system_requests;
  for (int i = 0; i < 100; ++i) step();
  CHECK(memory_statistics().system_requests == requests);
}

TEST_CASE("memory: sizes that differ by little share blocks") {
  release_unused_memory();
  { const Block block(10000); }
  const auto requests = memory_statistics().system_requests;
  { const Block block(9990); }
  CHECK(memory_statistics().system_requests == requests);
}

TEST_CASE("memory: at most an eighth and two cache lines are wasted") {
  for (Index count = 0; count < 100000; count = count * 9 / 8 + 1) {
    const auto before = memory_statistics().bytes_in_use;
    const Block block(count);
    const auto taken = memory_statistics().bytes_in_use - before;
    INFO(count);
    CHECK(taken >= bytes_of(count) + 64);
    CHECK(taken <= (bytes_of(count) + 64) * 9 / 8 + 64);
  }
}

TEST_CASE("memory: what fills whole cache lines wastes none") {
  const Index line = 64 / static_cast<Index>(sizeof(Real));
  for (Index lines = 1; lines < 8; ++lines) {
    const auto before = memory_statistics().bytes_in_use;
    const Block block(lines * line);
    CHECK(memory_statistics().bytes_in_use - before == 64 * (lines + 1));  // the first one tells of the block
  }
}

TEST_CASE("memory: the statistics count what is in use, its peak and what is held") {
  release_unused_memory();
  const auto before = memory_statistics();
  reset_peak_memory();
  {
    const Block one(100000);
    const Block two(100000);
    const auto during = memory_statistics();
    CHECK(during.bytes_in_use - before.bytes_in_use >= 2 * bytes_of(100000));
    CHECK(during.bytes_held - before.bytes_held == during.bytes_in_use - before.bytes_in_use);
    CHECK(during.system_requests - before.system_requests == 2);
  }
  const auto after = memory_statistics();
  CHECK(after.bytes_in_use == before.bytes_in_use);
  CHECK(after.peak_bytes - before.bytes_in_use >= 2 * bytes_of(100000));
  CHECK(after.bytes_held > before.bytes_held);
  reset_peak_memory();
  CHECK(memory_statistics().peak_bytes == before.bytes_in_use);
  release_unused_memory();
  CHECK(memory_statistics().bytes_held == memory_statistics().bytes_in_use);
}

TEST_CASE("memory: the last reference gives a block back") {
  const auto before = memory_statistics().bytes_in_use;
  Block first(1000);
  CHECK_FALSE(first.is_shared());
  {
    const Block second = first;
    CHECK(first.is_shared());
    CHECK(second.data() == first.data());
    first = Block();
    CHECK(memory_statistics().bytes_in_use > before);
    CHECK_FALSE(second.is_shared());
  }
  CHECK(memory_statistics().bytes_in_use == before);
  CHECK(first.data() == nullptr);
  CHECK_FALSE(Block().is_shared());
}

TEST_CASE("memory: a block too large for any machine is refused") {
  for (Index count : {std::numeric_limits<Index>::max(), Index(1) << 62, Index(1) << 61})
    CHECK_THROWS_AS(Block(count), std::bad_alloc);
}

TEST_CASE("memory: a negative count is refused") {
  CHECK_THROWS_WITH(Block(-1), "Block: the count must not be negative: got -1");
}

TEST_CASE("memory: many threads can take and give back blocks at once") {
  const auto before = memory_statistics().bytes_in_use;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (Index i = 0; i < 1000; ++i) {
        const Block a(i % 50 * 10 + t + 1), b(100);
        a.data()[0] = 1;
        b.data()[99] = 2;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(memory_statistics().bytes_in_use == before);
}
