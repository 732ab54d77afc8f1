#include <gradual/core/memory.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include <gradual/core/allocation_limit.hpp>
#include <gradual/core/error.hpp>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gradual {
namespace {

constexpr std::size_t large_page = std::size_t(2) << 20;

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t(bytes < large_page ? 64 : large_page);
}

// Memory for large blocks lies in pages of 2 MiB where the system has such: a walk over it then asks 500
// times less often where a page is. Null where there is none.
void* system_memory(std::size_t bytes) {
  void* memory = ::operator new(bytes, alignment_of(bytes), std::nothrow);
  if (!memory) return nullptr;
#ifdef MADV_HUGEPAGE
  if (bytes >= large_page) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: nothing is lost if it is not met
#endif
  return memory;
}

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
thread_local std::int64_t bytes_left = no_limit;  // within the limits that live on this thread

void count_within_limit(std::int64_t bytes) {
  if (bytes_left == no_limit) return;
  bytes = std::max(bytes, AllocationLimit::smallest);
  if (bytes > bytes_left)
    throw AllocationLimitError(text("allocation: tensors must fit within the limit: ", bytes,
                                    " bytes are asked for, ", bytes_left, " are left"));
  bytes_left -= bytes;
}

}  // namespace

AllocationLimit::AllocationLimit(std::int64_t bytes) : bytes_(std::min(bytes, bytes_left)) {
  if (bytes < 0) throw std::invalid_argument(text("allocation: a limit must not be negative: got ", bytes));
  kept_back_ = bytes_left == no_limit ? no_limit : bytes_left - bytes_;
  bytes_left = bytes_;
}

AllocationLimit::~AllocationLimit() {
  bytes_left = kept_back_ == no_limit ? no_limit : bytes_left + kept_back_;
}

// The header takes one cache line in front of the numbers, which keeps those aligned.
struct alignas(64) Block::Header {
  std::atomic<std::int64_t> references;
  std::size_t bytes;  // with the header
  Header* next_free;
};

class Pool {
 public:
  // Never destroyed: tensors in static variables may outlive any order of destruction.
  static Pool& instance() {
    static Pool& pool = *new Pool;
#if defined(__unix__) || defined(__APPLE__)
    // A child process gets the pool as it is, so no other thread may be in the middle of a change.
    static const int registered = pthread_atfork([] { pool.mutex_.lock(); }, [] { pool.mutex_.unlock(); },
                                                 [] { pool.mutex_.unlock(); });
    static_cast<void>(registered);
#endif
    return pool;
  }

  Block::Header* take(std::size_t bytes) {
    bytes = rounded(bytes + sizeof(Block::Header));
    const std::lock_guard lock(mutex_);
    Block::Header*& first_free = free_[bytes];
    Block::Header* header = first_free;
    if (header) {
      first_free = header->next_free;
    } else {
      header = new (from_system(bytes)) Block::Header{{1}, bytes, nullptr};
      statistics_.bytes_held += static_cast<std::int64_t>(bytes);
      ++statistics_.system_requests;
    }
    header->references.store(1, std::memory_order_relaxed);
    statistics_.bytes_in_use += static_cast<std::int64_t>(bytes);
    statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.bytes_in_use);
    return header;
  }

  void give_back(Block::Header* header) {
    const std::lock_guard lock(mutex_);
    Block::Header*& first_free = free_.find(header->bytes)->second;  // take() made it: nothing can fail here
    header->next_free = std::exchange(first_free, header);
    statistics_.bytes_in_use -= static_cast<std::int64_t>(header->bytes);
  }

  MemoryStatistics statistics() {
    const std::lock_guard lock(mutex_);
    return statistics_;
  }

  void reset_peak() {
    const std::lock_guard lock(mutex_);
    statistics_.peak_bytes = statistics_.bytes_in_use;
  }

  void release_unused() {
    const std::lock_guard lock(mutex_);
    free_unused();
  }

 private:
  void free_unused() {
    for (auto& [bytes, first] : free_) {
      while (first) {
        ::operator delete(std::exchange(first, first->next_free), alignment_of(bytes));
        statistics_.bytes_held -= static_cast<std::int64_t>(bytes);
      }
    }
  }

  // Where the system has no more, blocks of other sizes that nobody uses may be what is missing.
  void* from_system(std::size_t bytes) {
    void* memory = system_memory(bytes);
    if (!memory) {
      free_unused();
      memory = system_memory(bytes);
    }
    if (!memory) throw std::bad_alloc();
    return memory;
  }

  // Sizes are rounded up to eight steps per power of two: batches of slightly different lengths then share
  // blocks, and at most an eighth is wasted.
  static std::size_t rounded(std::size_t bytes) {
    std::size_t step = 64;
    while (step * 16 <= bytes) step *= 2;
    return (bytes + step - 1) / step * step;
  }

  std::mutex mutex_;
  std::unordered_map<std::size_t, Block::Header*> free_;  // the first of a chain for each size
  MemoryStatistics statistics_{};
};

MemoryStatistics memory_statistics() { return Pool::instance().statistics(); }
void reset_peak_memory() { Pool::instance().reset_peak(); }
void release_unused_memory() { Pool::instance().release_unused(); }

Block::Block(Index count) {
  constexpr Index most = std::numeric_limits<Index>::max() / 2 / static_cast<Index>(sizeof(Real));
  if (count < 0) throw std::invalid_argument(text("Block: the count must not be negative: got ", count));
  count_within_limit(std::min(count, most) * static_cast<Index>(sizeof(Real)));
  if (count > most) throw std::bad_alloc();  // the number of bytes would overflow
  header_ = Pool::instance().take(static_cast<std::size_t>(count) * sizeof(Real));
}

Block::Block(const Block& other) : header_(other.header_) {
  if (header_) header_->references.fetch_add(1, std::memory_order_relaxed);
}

Block& Block::operator=(Block other) noexcept {
  std::swap(header_, other.header_);
  return *this;
}

Block::~Block() {
  if (header_ && header_->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    Pool::instance().give_back(header_);
}

Real* Block::data() const { return header_ ? reinterpret_cast<Real*>(header_ + 1) : nullptr; }

bool Block::is_shared() const { return header_ && header_->references.load(std::memory_order_acquire) > 1; }

}  // namespace gradual
