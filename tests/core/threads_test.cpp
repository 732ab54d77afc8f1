#include <gradual/core/threads.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

const int before_any_test = thread_count();

using Ranges = std::set<std::pair<Index, Index>>;

template <class Split>
Ranges ranges_of(Split split) {
  std::mutex mutex;
  Ranges ranges;
  split([&](Index first, Index last) {
    const std::lock_guard lock(mutex);
    ranges.emplace(first, last);
  });
  return ranges;
}

}  // namespace

TEST_CASE("threads: a program that says nothing gets as many as there are cores") {
  CHECK(before_any_test == hardware_threads());
}

TEST_CASE("threads: each chunk is done once, whatever the numbers of chunks and threads") {
  for (int count : {1, 2, 3, 4, 7}) {
    const ThreadCount threads(count);
    for (Index chunks : {0, 1, 2, 3, 5, 16, 1000}) {
      INFO(count << " threads, " << chunks << " chunks");
      Calls calls(chunks);
      parallel_for(chunks, [&](Index chunk) { calls.note(chunk); });
      CHECK(calls.all_are(1));
    }
  }
}

TEST_CASE("threads: no more of them work than are wanted") {
  const ThreadCount threads(2);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(30, [&](Index) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  CHECK(seen.size() <= 2);
}

TEST_CASE("threads: what the chunks wrote is there when the call returns, over many small jobs") {
  const ThreadCount threads(4);
  std::vector<Index> results(8);
  Index wrong = 0;
  for (Index job = 0; job < 20000; ++job) {
    parallel_for(8, [&](Index chunk) { results[static_cast<std::size_t>(chunk)] = job + chunk; });
    for (Index chunk = 0; chunk < 8; ++chunk)
      wrong += results[static_cast<std::size_t>(chunk)] != job + chunk;
  }
  CHECK(wrong == 0);
}

TEST_CASE("threads: jobs after a pause, in which the workers fall asleep, are done") {
  const ThreadCount threads(3);
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Calls calls(5);
    parallel_for(5, [&](Index chunk) { calls.note(chunk); });
    REQUIRE(calls.all_are(1));
  }
}

TEST_CASE("threads: what a chunk throws comes out when all are done, the first chunk's of several") {
  for (int count : {1, 2, 4}) {
    const ThreadCount threads(count);
    for (int i = 0; i < 200; ++i) {
      Calls calls(40);
      const auto run = [&] {
        parallel_for(40, [&](Index chunk) {
          calls.note(chunk);
          if (chunk % 7 == 3) throw std::out_of_range("chunk " + std::to_string(chunk));
        });
      };
      REQUIRE_THROWS_WITH(run(), "chunk 3");
      REQUIRE(calls.all_are(1));
      Calls next(40);
      parallel_for(40, [&](Index chunk) { next.note(chunk); });
      REQUIRE(next.all_are(1));
    }
  }
}

TEST_CASE("threads: a job inside a job is done on the spot") {
  const ThreadCount threads(4);
  Calls calls(64);
  parallel_for(8, [&](Index outer) {
    const auto me = std::this_thread::get_id();
    parallel_for(8, [&](Index inner) {
      if (std::this_thread::get_id() == me) calls.note(outer * 8 + inner);
    });
  });
  CHECK(calls.all_are(1));
}

TEST_CASE("threads: jobs from several threads at once are all done") {
  const ThreadCount threads(4);
  Calls first(10), second(10), third(10);
  std::vector<std::thread> callers;
  for (Calls* calls : {&first, &second, &third}) {
    callers.emplace_back([calls] {
      for (int i = 0; i < 2000; ++i) parallel_for(10, [&](Index chunk) { calls->note(chunk); });
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(first.all_are(2000));
  CHECK(second.all_are(2000));
  CHECK(third.all_are(2000));
}

TEST_CASE("threads: the number can change between jobs") {
  const ThreadCount before(1);
  for (int i = 0; i < 50; ++i) {
    set_thread_count(1 + i % 4);
    CHECK(thread_count() == 1 + i % 4);
    Calls calls(9);
    parallel_for(9, [&](Index chunk) { calls.note(chunk); });
    REQUIRE(calls.all_are(1));
  }
}

TEST_CASE("threads: more than one thread takes part") {
  const ThreadCount threads(2);
  std::set<std::thread::id> seen;
  std::mutex mutex;
  // Each chunk waits for the other, so that one thread alone would not get past the first.
  std::atomic<int> arrived{0};
  parallel_for(2, [&](Index) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  CHECK(seen.size() == 2);
}

TEST_CASE("threads: a number below 1, or beyond what the pool holds, is refused") {
  CHECK_THROWS_AS(set_thread_count(0), std::invalid_argument);
  CHECK_THROWS_WITH(set_thread_count(0), "threads: the count must be 1 to 64: got 0");
  CHECK_THROWS_WITH(set_thread_count(65), "threads: the count must be 1 to 64: got 65");
  CHECK(hardware_threads() >= 1);
}

TEST_CASE("threads: rows are cut into ranges that cover each row once; small work stays in one piece") {
  for (Index rows : {0, 1, 2, 3, 15, 16, 17, 1000}) {
    for (Index work : {0, 1, 100, 16384, 1000000}) {
      INFO(rows << " rows of " << work);
      const Ranges ranges = ranges_of([&](auto body) { parallel_rows(rows, work, body); });
      Index next = 0;
      bool covered = true;
      for (const auto& [first, last] : ranges) {
        covered = covered && first == next && last > first;
        next = last;
      }
      CHECK(covered);
      CHECK(next == rows);
      if (rows == 0) CHECK(ranges.empty());
      if (rows > 0 && rows * work < 2 * 16384) CHECK(ranges.size() == 1);
      if (rows >= 16 && work >= 16384) CHECK(ranges.size() == 16);
    }
  }
}

TEST_CASE("threads: elements are cut at multiples of 64, the same for any number of threads") {
  for (Index count : {0, 1, 63, 64, 65, 40000, 1000001}) {
    const auto split = [&](auto body) { parallel_elements(count, body); };
    Ranges expected;
    {
      const ThreadCount one(1);
      expected = ranges_of(split);
    }
    const ThreadCount four(4);
    const Ranges ranges = ranges_of(split);
    CHECK(ranges == expected);
    Index next = 0;
    for (const auto& [first, last] : ranges) {
      CHECK(first == next);
      CHECK(first % 64 == 0);
      next = last;
    }
    CHECK(next == count);
  }
}

TEST_CASE("threads: each task is done once, whether threads take whole ones or share each") {
  for (int count : {1, 2, 4}) {
    const ThreadCount threads(count);
    for (Index tasks : {0, 1, 3, 4, 20}) {
      INFO(count << " threads, " << tasks << " tasks");
      Calls calls(tasks), chunks(100 * tasks);
      parallel_tasks(tasks, [&](Index task) {
        calls.note(task);
        parallel_for(100, [&](Index chunk) { chunks.note(100 * task + chunk); });
      });
      CHECK(calls.all_are(1));
      CHECK(chunks.all_are(1));
    }
  }
}

TEST_CASE("threads: what a task throws comes out, and the other tasks are done") {
  for (int count : {1, 2, 4}) {
    const ThreadCount threads(count);
    for (Index tasks : {1, 3, 20}) {
      Calls calls(tasks);
      const auto run = [&] {
        parallel_tasks(tasks, [&](Index task) {
          calls.note(task);
          if (task == 0) throw std::runtime_error("task 0");
        });
      };
      CHECK_THROWS_WITH(run(), "task 0");
      CHECK(calls.all_are(1));
    }
  }
}
