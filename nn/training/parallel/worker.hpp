// Work that goes on beside the thread that asked for it.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace gradual {

/// Does what it is given, one piece after the other, on a thread of its own.
class Worker {
 public:
  Worker() : thread_([this] { work(); }) {}
  /// Does first what is left.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// The result, or what the piece threw, is in the future.
  template <class Piece>
  auto add(Piece piece) {
    auto task = std::make_shared<std::packaged_task<decltype(piece())()>>(std::move(piece));
    auto result = task->get_future();
    push([task] { (*task)(); });
    return result;
  }

 private:
  void push(std::function<void()> piece);
  void work();

  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<std::function<void()>> pieces_;  // an empty one is the end
  std::thread thread_;                        // last: it uses the others
};

}  // namespace gradual
