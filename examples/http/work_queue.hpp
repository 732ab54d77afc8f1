// Work that takes its time, done by two threads: long work never keeps short work waiting.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class WorkQueue {
 public:
  /// Of each kind so many may wait.
  WorkQueue(std::size_t most_short, std::size_t most_long);
  /// Does what still waits, too.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// False, and nothing is done, where too much waits already. Work must not throw.
  bool add(bool is_short, std::function<void()> work);

 private:
  // Takes short work, and long work before it where `takes_long`.
  void run(bool takes_long);

  struct Lane {
    std::size_t most;
    std::deque<std::function<void()>> waiting;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  Lane short_, long_;
  bool ended_ = false;
  std::thread for_short_, for_all_;
};
