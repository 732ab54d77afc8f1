#include <gradual/core/products/flop_count.hpp>

#include <atomic>
#include <deque>
#include <mutex>

namespace gradual {
namespace {

// Each thread counts for itself: a number that all of them write would cost more than a small product.
struct FlopCounts {
  std::mutex mutex;
  std::deque<std::atomic<std::int64_t>> of_threads;  // which stay in their places
} counts;

std::atomic<std::int64_t>& new_count() {
  const std::lock_guard lock(counts.mutex);
  return counts.of_threads.emplace_back(0);
}

}  // namespace

std::int64_t flop_count() {
  const std::lock_guard lock(counts.mutex);
  std::int64_t sum = 0;
  for (const auto& count : counts.of_threads) sum += count.load(std::memory_order_relaxed);
  return sum;
}

void count_flops(std::int64_t flops) {
  thread_local std::atomic<std::int64_t>& own = new_count();
  own.store(own.load(std::memory_order_relaxed) + flops, std::memory_order_relaxed);
}

}  // namespace gradual
