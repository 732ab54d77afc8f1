// Threads in a child process, and where the system starts no more of them.
#include <gradual/core/threads.hpp>

#include <atomic>
#include <thread>

#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/threads.hpp"

using namespace gradual;

TEST_CASE("threads: a child process made after threads were used works with threads of its own, and ends",
          "[fork]") {
  const ThreadCount threads(3);
  const auto sum_is_right = [] {
    std::atomic<Index> sum{0};
    parallel_for(100, [&](Index chunk) { sum += chunk; });
    return sum == 4950;
  };
  CHECK(sum_is_right());
  CHECK(holds_in_child_process([] { return true; }));
  CHECK(holds_in_child_process(sum_is_right));
  CHECK(holds_in_child_process([&] { return sum_is_right() && holds_in_child_process(sum_is_right); }));
  CHECK(sum_is_right());
}

TEST_CASE("threads: a child process made while another thread has a job does not wait for it", "[fork]") {
  const ThreadCount threads(2);
  std::atomic<bool> started{false}, done{false};
  std::thread other([&] {
    parallel_for(2, [&](Index) {
      started = true;
      while (!done) std::this_thread::yield();
    });
  });
  while (!started) std::this_thread::yield();
  const bool holds = holds_in_child_process([] {
    std::atomic<int> threads_seen{0};
    parallel_for(2, [&](Index) {
      ++threads_seen;
      while (threads_seen < 2)
        std::this_thread::yield();  // one thread alone would not get past the first chunk
    });
    return true;
  });
  done = true;
  other.join();
  CHECK(holds);
}

TEST_CASE("threads: more chunks than a ticket counts are done once each, and do not hang", "[fork]") {
  CHECK(holds_in_child_process([] {
    const ThreadCount threads(2);
    bool holds = true;
    for (Index chunks : {(Index(1) << 20) - 1, Index(1) << 20, (Index(1) << 20) + 77}) {
      Calls calls(chunks);
      parallel_for(chunks, [&](Index chunk) { calls.note(chunk); });
      holds = holds && calls.all_are(1);
    }
    return holds;
  }));
}

TEST_CASE("threads: where the system starts no more threads, those that there are do the work", "[fork]") {
  if (!memory_can_be_limited()) return;
  CHECK(holds_in_child_process([] {
    const MemoryLimit limit(std::size_t(1) << 20);  // less than a stack
    const ThreadCount threads(4);
    Calls calls(100);
    for (int i = 0; i < 10; ++i) parallel_for(100, [&](Index chunk) { calls.note(chunk); });
    return calls.all_are(10);
  }));
}
