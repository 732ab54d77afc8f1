#include <gradual/nn/training/parallel/worker.hpp>

namespace gradual {

Worker::~Worker() {
  push(nullptr);
  thread_.join();
}

void Worker::push(std::function<void()> piece) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    pieces_.push_back(std::move(piece));
  }
  added_.notify_one();
}

void Worker::work() {
  while (true) {
    std::unique_lock<std::mutex> lock(mutex_);
    added_.wait(lock, [this] { return !pieces_.empty(); });
    const std::function<void()> piece = std::move(pieces_.front());
    pieces_.pop_front();
    lock.unlock();
    if (!piece) return;
    piece();
  }
}

}  // namespace gradual
