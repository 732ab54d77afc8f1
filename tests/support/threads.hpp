// Tests of work that is shared among threads.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>
#include <vector>

#include <gradual/core/tensor.hpp>
#include <gradual/core/threads.hpp>

#include "support/catch.hpp"

namespace gradual {

/// Sets the number of threads while it lives.
class ThreadCount {
 public:
  explicit ThreadCount(int count) : before_(thread_count()) { set_thread_count(count); }
  ~ThreadCount() { set_thread_count(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  const int before_;
};

inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(Real)) == 0;
}

/// Checks that what `compute` returns has the same bits for 1, 2 and 4 threads.
inline void check_same_bits_for_any_thread_count(const std::function<std::vector<Tensor>()>& compute) {
  std::vector<Tensor> expected;
  {
    const ThreadCount one(1);
    expected = compute();
  }
  for (int count : {2, 4}) {
    const ThreadCount threads(count);
    const std::vector<Tensor> results = compute();
    REQUIRE(results.size() == expected.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      INFO("result " << i << " with " << count << " threads");
      CHECK(same_bits(results[i], expected[i]));
    }
  }
}

/// How often each chunk was called.
class Calls {
 public:
  explicit Calls(Index chunks) : counts_(static_cast<std::size_t>(chunks)) {}
  void note(Index chunk) { counts_[static_cast<std::size_t>(chunk)].fetch_add(1, std::memory_order_relaxed); }
  bool all_are(int expected) const {
    for (const auto& count : counts_)
      if (count != expected) return false;
    return true;
  }

 private:
  std::vector<std::atomic<int>> counts_;
};

}  // namespace gradual
