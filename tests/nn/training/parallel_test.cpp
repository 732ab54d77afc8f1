#include <deque>
#include <future>
#include <mutex>
#include <thread>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/training/parallel/data_parallel.hpp>
#include <gradual/nn/training/parallel/ring.hpp>
#include <gradual/nn/training/parallel/worker.hpp>

#include "support/catch.hpp"
#include "support/recomputed.hpp"

using namespace gradual;

namespace {

struct Listener : GradientListener {
  std::vector<const Node*> heard;
  std::vector<Real> gradients;  // at that moment
  std::vector<Var> parameters;

  explicit Listener(std::vector<Var> all) : parameters(std::move(all)) { listen(); }
  void complete(const Node& parameter) override {
    heard.push_back(&parameter);
    for (const Var& each : parameters)
      if (each.node().get() == &parameter) gradients.push_back(each.grad().item());
  }
};

Var number(Real value) { return Var::parameter(Tensor({1}, {value})); }

}  // namespace

TEST_CASE("gradient listener: it hears of each parameter once, when nothing more is added to its gradient") {
  const Var a = number(2), b = number(3), unused = number(4);
  Listener listener({a, b, unused});
  const Var early = a * 5;             // the last to be walked
  const Var late = early * b + a * 7;  // b is complete before a
  backward(late);
  REQUIRE(listener.heard == std::vector<const Node*>{b.node().get(), a.node().get()});
  CHECK(listener.gradients == std::vector<Real>{10, 22});  // 5·2 and 5·3 + 7
}

TEST_CASE("gradient listener: when it is gone, nobody is told") {
  const Var a = number(2);
  { const Listener listener({a}); }
  CHECK(GradientListener::current() == nullptr);
  backward(a * a);
  CHECK(a.grad().item() == 4);
}

TEST_CASE("gradient listener: a parameter that walks inside rules reach is complete when all is done") {
  const Var a = number(2), b = number(5);
  const auto block = [&](const Var& in) { return in * b; };
  Listener listener({a, b});
  backward(recomputed(block, recomputed(block, a * b) * a));  // a²·b³, of which one b is outside of rules
  REQUIRE(listener.heard == std::vector<const Node*>{a.node().get(), b.node().get()});
  CHECK(listener.gradients == std::vector<Real>{500, 300});  // 2·a·b³ and 3·a²·b²
}

TEST_CASE("gradient listener: a walk inside a rule does not add to what was told to be complete") {
  const Var a = number(2), b = number(3);
  const Var inside = recomputed([&](const Var& in) { return in * b; }, a);
  const Var y = inside + a * b;  // the younger product is walked first, and b is complete with it
  {
    const Listener listener({a, b});
    CHECK_THROWS_WITH(
        backward(y, Graph::keep),
        Contains("backward: a walk inside a rule must not add to a gradient that was told to be "
                 "complete: it reaches the parameter"));
  }
  CHECK_FALSE(b.grad().defined());
  backward(y);
  CHECK(b.grad().item() == 4);
}

TEST_CASE("data parallel: gradients of a block that is computed again are those of the block itself") {
  Communicator alone;
  const Var a = number(2), b = number(3);
  const auto block = [&](const Var& in) { return in * b; };
  for (const Index bytes_each : {Index(1), Index(1) << 20}) {
    DataParallel parallel(alone, {{"a", a}, {"b", b}}, bytes_each);
    for (Var each : {a, b}) each.zero_grad();
    parallel.start();
    backward(recomputed(block, recomputed(block, a)));
    parallel.finish();
    CHECK(a.grad().item() == 9);
    CHECK(b.grad().item() == 12);
  }
}

TEST_CASE("data parallel: a process that is alone gets its own gradients, and none where there are none") {
  Communicator alone;
  CHECK(alone.size() == 1);
  CHECK(alone.sum(2.5) == 2.5);
  const Var a = number(2), b = number(3), unused = number(4);
  // Buckets of one number each, and all in one.
  for (const Index bytes_each : {Index(1), Index(1) << 20}) {
    DataParallel parallel(alone, {{"a", a}, {"b", b}, {"unused", unused}}, bytes_each);
    for (Var each : {a, b, unused}) each.zero_grad();
    parallel.start();
    backward(a * b * b);
    parallel.finish();
    CHECK(a.grad().item() == 9);
    CHECK(b.grad().item() == 12);
    CHECK_FALSE(unused.grad().defined());  // an optimizer leaves it alone, as it does without other processes
    CHECK(GradientListener::current() == nullptr);
  }
}

TEST_CASE("data parallel: a parameter may be without numbers") {
  Communicator alone;
  const Var empty = Var::parameter(Tensor(Shape{0})), a = number(2);
  for (const bool is_last : {false, true}) {
    std::vector<NamedParameter> all{{"a", a}, {"empty", empty}};
    if (!is_last) std::swap(all[0], all[1]);
    DataParallel parallel(alone, all);
    Var(a).zero_grad();
    parallel.start();
    backward(a * a);
    parallel.finish();
    CHECK(a.grad().item() == 4);
  }
}

namespace {

// What one process sends the next, where threads stand for processes.
class Wire {
 public:
  void send(std::vector<Real> message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    messages_.push_back(std::move(message));
    sent_ += messages_.back().size();
    arrived_.notify_one();
  }
  std::vector<Real> receive() {
    std::unique_lock<std::mutex> lock(mutex_);
    arrived_.wait(lock, [this] { return !messages_.empty(); });
    std::vector<Real> message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }
  std::size_t numbers_sent() const { return sent_; }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::vector<Real>> messages_;
  std::size_t sent_ = 0;
};

struct Summed {
  std::vector<std::vector<Real>> numbers;  // of each process
  std::vector<std::size_t> sent;           // by each process
};

Summed sums_in_ring(std::vector<std::vector<Real>> numbers) {
  const std::size_t size = numbers.size();
  std::vector<Wire> wires(size);  // wires[i] leads to process i
  std::vector<std::thread> processes;
  for (std::size_t rank = 0; rank < size; ++rank)
    processes.emplace_back([&, rank] {
      const auto exchange = [&](const Real* out, Index out_count, Real* in, Index in_count) {
        wires[(rank + 1) % size].send({out, out + out_count});
        const std::vector<Real> message = wires[rank].receive();
        if (static_cast<Index>(message.size()) != in_count) std::terminate();  // no exception leaves a thread
        std::copy(message.begin(), message.end(), in);
      };
      sum_in_ring(static_cast<int>(rank), static_cast<int>(size), numbers[rank].data(),
                  static_cast<Index>(numbers[rank].size()), exchange);
    });
  for (std::thread& each : processes) each.join();
  Summed result{std::move(numbers), {}};
  for (std::size_t rank = 0; rank < size; ++rank)
    result.sent.push_back(wires[(rank + 1) % size].numbers_sent());
  return result;
}

}  // namespace

TEST_CASE("ring: all processes get the sums, also where there are fewer numbers than processes") {
  for (const int size : {1, 2, 3, 5, 8})
    for (const int count : {0, 1, 2, 7, 8, 1000}) {
      INFO("size " << size << ", count " << count);
      std::vector<std::vector<Real>> numbers(static_cast<std::size_t>(size));
      for (int rank = 0; rank < size; ++rank)
        for (int i = 0; i < count; ++i)
          numbers[static_cast<std::size_t>(rank)].push_back(static_cast<Real>((rank + 1) * (i + 1)));
      // Σ over ranks of (rank + 1) (i + 1) = (i + 1) size (size + 1) / 2, whole numbers that a float holds.
      std::vector<Real> sums;
      for (int i = 0; i < count; ++i) sums.push_back(static_cast<Real>((i + 1) * size * (size + 1) / 2));
      for (const std::vector<Real>& each : sums_in_ring(numbers).numbers) CHECK(each == sums);
    }
}

TEST_CASE("ring: each process sends 2 (N - 1) / N of the numbers") {
  for (const std::size_t sent : sums_in_ring({4, std::vector<Real>(1000, 1)}).sent) CHECK(sent == 1500);
}

TEST_CASE("ring: all processes get the same bits") {
  std::vector<std::vector<Real>> numbers(3);
  for (std::size_t rank = 0; rank < 3; ++rank)
    for (int i = 0; i < 100; ++i)
      numbers[rank].push_back(Real(1) / static_cast<Real>(3 + i + 7 * static_cast<int>(rank)));
  const Summed summed = sums_in_ring(numbers);
  CHECK(summed.numbers[1] == summed.numbers[0]);
  CHECK(summed.numbers[2] == summed.numbers[0]);
}

TEST_CASE("worker: it works while its owner goes on, in the order asked, and hands back what was thrown") {
  Worker worker;
  std::promise<int> first;
  std::future<int> later = worker.add([answer = first.get_future()]() mutable { return answer.get() + 1; });
  std::future<int> failing = worker.add([]() -> int { throw std::runtime_error("no"); });
  first.set_value(41);  // had add() waited, nobody would come to give it
  CHECK(later.get() == 42);
  CHECK_THROWS_WITH(failing.get(), "no");
}
