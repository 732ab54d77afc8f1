#include "../../../examples/http/work_queue.hpp"

#include <atomic>
#include <functional>
#include <future>
#include <thread>

#include "support/catch.hpp"

namespace {

// Work that goes on until it is let go.
class Gate {
 public:
  std::function<void()> work() {
    return [this] {
      ++begun;
      gone_.wait();
    };
  }
  void let_go() { go_.set_value(); }
  void wait_until_begun(int count) const {
    while (begun < count) std::this_thread::yield();
  }
  std::atomic<int> begun{0};

 private:
  std::promise<void> go_;
  std::shared_future<void> gone_ = go_.get_future().share();
};

}  // namespace

TEST_CASE("work queue: short work does not wait for long work, however much of that there is") {
  Gate gate;
  WorkQueue queue(4, 4);
  for (int i = 0; i < 3; ++i) CHECK(queue.add(false, gate.work()));
  gate.wait_until_begun(1);
  std::promise<void> done;
  CHECK(queue.add(true, [&] { done.set_value(); }));
  done.get_future().wait();  // for ever where it waits
  CHECK(gate.begun == 1);    // and long work comes one at a time
  gate.let_go();
}

TEST_CASE("work queue: of each kind as much may wait as was said, and what does not fit is not done") {
  Gate gate;
  std::atomic<int> done{0};
  {
    WorkQueue queue(2, 1);
    CHECK(queue.add(false, gate.work()));  // for the only thread that takes long work
    gate.wait_until_begun(1);
    CHECK(queue.add(true, gate.work()));
    gate.wait_until_begun(2);  // both threads are busy
    CHECK(queue.add(true, [&] { ++done; }));
    CHECK(queue.add(true, [&] { ++done; }));
    CHECK_FALSE(queue.add(true, [&] { done += 100; }));
    CHECK(queue.add(false, [&] { ++done; }));
    CHECK_FALSE(queue.add(false, [&] { done += 100; }));
    gate.let_go();
    while (done < 3) std::this_thread::yield();
  }
  CHECK(done == 3);
}

TEST_CASE("work queue: its end waits for what has begun, and for what waits") {
  Gate gate;
  std::atomic<int> done{0};
  std::thread opener;
  {
    WorkQueue queue(4, 4);
    for (int i = 0; i < 3; ++i)
      CHECK(queue.add(false, [&, wait = gate.work()] {
        wait();
        ++done;
      }));
    gate.wait_until_begun(1);
    opener = std::thread([&] { gate.let_go(); });
  }
  CHECK(done == 3);
  opener.join();
}
