#include <gradual/core/threads.hpp>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

#include <gradual/core/cores.hpp>
#include <gradual/core/error.hpp>

namespace gradual {
namespace {

#if defined(__x86_64__) || defined(__i386__)
void pause_briefly() { __builtin_ia32_pause(); }
#else
void pause_briefly() { std::this_thread::yield(); }
#endif

thread_local bool inside_parallel_work = false;

// What is done chunk by chunk. All chunks are done even if some throw, and what the first of them threw comes
// out in the end: the same for any number of threads.
class Job {
 public:
  Job(threads::Call call, const void* body) : call_(call), body_(body) {}

  void do_chunk(Index chunk) noexcept {
    try {
      call_(body_, chunk);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (thrown_ && first_ < chunk) return;
      thrown_ = std::current_exception();
      first_ = chunk;
    }
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  const threads::Call call_;
  const void* const body_;
  std::mutex mutex_;
  std::exception_ptr thrown_;
  Index first_ = 0;
};

// The threads of the pool. Each thread owns a share of the chunks of a job, always the same part of it, so
// that the data stays in its core's cache from one operation to the next; a thread that has finished helps
// with the others' shares.
class ThreadPool {
 public:
  static constexpr int max_threads = 64;
  static constexpr Index max_chunks = (1 << 20) - 1;  // what fits a ticket

  // Where the system lets no more threads start, those that did share the work.
  explicit ThreadPool(int wanted) : wanted_(wanted) {
    try {
      for (; count_ < wanted; ++count_) workers_.emplace_back([this, me = count_] { work(me); });
    } catch (const std::system_error&) {
    }
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

  int wanted() const { return wanted_; }

  void run(Index chunks, Job& job) {
    job_ = &job;
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
        job_->do_chunk(Ticket::unpacked(word).next);
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

  const int wanted_;
  int count_ = 1;  // with the thread that runs the job; workers read it after they saw a job
  std::vector<std::thread> workers_;
  std::array<Share, max_threads> shares_;
  Job* job_ = nullptr;
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

#if defined(__unix__) || defined(__APPLE__)
// A child process has none of the pool's threads, and nobody who would unlock the mutex. It starts anew.
const int fork_is_known = pthread_atfork(nullptr, nullptr, [] {
  [[maybe_unused]] static ThreadPool* of_the_parent = nullptr;
  of_the_parent = pool.release();  // never destroyed: there is nothing to join
  new (&job_mutex) std::mutex;
});
#endif

void run_in_order(Index chunks, Job& job) {
  for (Index chunk = 0; chunk < chunks; ++chunk) job.do_chunk(chunk);
}

void share_out(Index chunks, Job& job) {
  std::unique_lock one(job_mutex, std::defer_lock);
  if (chunks <= 1 || chunks > ThreadPool::max_chunks || thread_count() == 1 || inside_parallel_work ||
      !one.try_lock())
    return run_in_order(chunks, job);
  if (!pool || pool->wanted() != thread_count()) {
    pool.reset();  // the old threads end before new ones start
    pool = std::make_unique<ThreadPool>(thread_count());
  }
  inside_parallel_work = true;
  pool->run(chunks, job);
  inside_parallel_work = false;
}

}  // namespace

int hardware_threads() {
  static const int cores = std::min(usable_cores(), ThreadPool::max_threads);
  return cores;
}

int thread_count() { return wanted_threads > 0 ? wanted_threads.load() : hardware_threads(); }

void set_thread_count(int count) {
  if (count < 1 || count > ThreadPool::max_threads)
    throw std::invalid_argument(
        text("threads: the count must be 1 to ", ThreadPool::max_threads, ": got ", count));
  wanted_threads = count;
}

void threads::run(Index chunks, Call call, const void* body) {
  Job job(call, body);
  share_out(chunks, job);
  job.rethrow();
}

void threads::run_in_order(Index chunks, Call call, const void* body) {
  Job job(call, body);
  gradual::run_in_order(chunks, job);
  job.rethrow();
}

}  // namespace gradual
