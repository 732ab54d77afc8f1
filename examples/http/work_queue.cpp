#include "work_queue.hpp"

#include <utility>

WorkQueue::WorkQueue(std::size_t most_short, std::size_t most_long)
    : short_{most_short, {}}, long_{most_long, {}}, for_short_([this] { run(false); }), for_all_([this] {
        run(true);
      }) {}

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  for_short_.join();
  for_all_.join();
}

bool WorkQueue::add(bool is_short, std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    Lane& lane = is_short ? short_ : long_;
    if (lane.waiting.size() >= lane.most) return false;
    lane.waiting.push_back(std::move(work));
  }
  changed_.notify_all();
  return true;
}

void WorkQueue::run(bool takes_long) {
  std::unique_lock lock(mutex_);
  const auto lane = [&]() -> Lane* {
    if (takes_long && !long_.waiting.empty()) return &long_;
    return short_.waiting.empty() ? nullptr : &short_;
  };
  while (true) {
    changed_.wait(lock, [&] { return ended_ || lane(); });
    Lane* const from = lane();
    if (!from) return;
    const std::function<void()> work = std::move(from->waiting.front());
    from->waiting.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}
