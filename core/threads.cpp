#include <gradual/core/threads.hpp>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

#if defined(__x86_64__) || defined(__i386__)
void pause_briefly() { __builtin_ia32_pause(); }
#else
void pause_briefly() { std::this_thread::yield(); }
#endif

thread_local bool inside_parallel_work = false;

// The threads of the pool. Each thread owns a share of the chunks of a job, always the same part of it, so
// that the data stays in its core's cache from one operation to the next; a thread that has finished helps
// with the others' shares.
class ThreadPool {
 public:
  static constexpr int max_threads = 64;
  static constexpr Index max_chunks = (1 << 20) - 1;  // what fits a ticket

  explicit ThreadPool(int count) : count_(count) {
    for (int me = 1; me < count; ++me) workers_.emplace_back([this, me] { work(me); });
  }

  ~ThreadPool() {
    stopping_ = true;
    {
      const std::lock_guard lock(sleep_mutex_);
      ++generation_;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  int count() const { return count_; }

  void run(Index chunks, threads::Call call, const void* body) {
    call_ = call;
    body_ = body;
    pending_.store(chunks, std::memory_order_relaxed);
    const std::uint64_t next_generation = generation_.load(std::memory_order_relaxed) + 1;
    for (int t = 0; t < count_; ++t) {
      const Ticket first{next_generation, chunks * t / count_, chunks * (t + 1) / count_};
      shares_[static_cast<std::size_t>(t)].ticket.store(first.packed(), std::memory_order_release);
    }
    generation_.store(next_generation);
    if (sleepers_.load() > 0) {
      const std::lock_guard lock(sleep_mutex_);
      wake_.notify_all();
    }
    help(0, next_generation);
    for (int spins = 0; pending_.load(std::memory_order_acquire) > 0; ++spins) {
      if (spins < 20000)
        pause_briefly();
      else
        std::this_thread::yield();
    }
  }

 private:
  // The chunks of a share that are still to be done, and the job they belong to, in one word. Whoever moves
  // it on owns the chunk; a thread that comes late, when the job is over, finds another job's number or no
  // chunk left.
  struct Ticket {
    std::uint64_t generation;
    Index next, end;

    std::uint64_t packed() const {
      return generation << 40 | static_cast<std::uint64_t>(end) << 20 | static_cast<std::uint64_t>(next);
    }
    static Ticket unpacked(std::uint64_t word) {
      return {word >> 40, static_cast<Index>(word & 0xfffff), static_cast<Index>(word >> 20 & 0xfffff)};
    }
    bool offers_chunk_of(std::uint64_t job) const { return generation == (job & 0xffffff) && next < end; }
  };
  struct alignas(64) Share {
    std::atomic<std::uint64_t> ticket{0};
  };

  void help(int me, std::uint64_t job) {
    for (int offset = 0; offset < count_; ++offset) {
      auto& ticket = shares_[static_cast<std::size_t>((me + offset) % count_)].ticket;
      std::uint64_t word = ticket.load(std::memory_order_acquire);
      while (Ticket::unpacked(word).offers_chunk_of(job)) {
        if (!ticket.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel)) continue;
        call_(body_, Ticket::unpacked(word).next);
        pending_.fetch_sub(1, std::memory_order_acq_rel);
        word = ticket.load(std::memory_order_acquire);
      }
    }
  }

  void work(int me) {
    inside_parallel_work = true;
    std::uint64_t seen = 0;
    for (;;) {
      // Operations follow each other within microseconds, and waking a sleeping thread takes fifty: look a
      // while first.
      for (int spins = 0; spins < 4000 && generation_.load(std::memory_order_acquire) == seen; ++spins)
        pause_briefly();
      if (generation_.load() == seen) {
        std::unique_lock lock(sleep_mutex_);
        ++sleepers_;
        wake_.wait(lock, [&] { return generation_.load() != seen; });
        --sleepers_;
      }
      if (stopping_) return;
      seen = generation_.load(std::memory_order_acquire);
      help(me, seen);
    }
  }

  const int count_;
  std::vector<std::thread> workers_;
  std::array<Share, max_threads> shares_;
  threads::Call call_ = nullptr;
  const void* body_ = nullptr;
  std::atomic<Index> pending_{0};
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<bool> stopping_{false};
  std::mutex sleep_mutex_;
  std::condition_variable wake_;
};

std::mutex job_mutex;  // one job at a time
std::unique_ptr<ThreadPool> pool;
std::atomic<int> wanted_threads{0};  // 0: as many as there are cores

}  // namespace

int hardware_threads() {
  static const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::min(cores, ThreadPool::max_threads);
}

int thread_count() { return wanted_threads > 0 ? wanted_threads.load() : hardware_threads(); }

void set_thread_count(int count) {
  if (count < 1 || count > ThreadPool::max_threads)
    throw std::invalid_argument(
        text("threads: the count must be 1 to ", ThreadPool::max_threads, ": got ", count));
  wanted_threads = count;
}

void threads::run(Index chunks, Call call, const void* body) {
  const auto one_after_the_other = [&] {
    for (Index chunk = 0; chunk < chunks; ++chunk) call(body, chunk);
  };
  if (chunks <= 1 || chunks > ThreadPool::max_chunks || thread_count() == 1 || inside_parallel_work)
    return one_after_the_other();
  const std::unique_lock job(job_mutex, std::try_to_lock);
  if (!job.owns_lock()) return one_after_the_other();
  if (!pool || pool->count() != thread_count()) {
    pool.reset();  // the old threads end before new ones start
    pool = std::make_unique<ThreadPool>(thread_count());
  }
  inside_parallel_work = true;
  pool->run(chunks, call, body);
  inside_parallel_work = false;
}

}  // namespace gradual
