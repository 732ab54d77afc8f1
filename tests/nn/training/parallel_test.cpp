#include <gradual/autograd/operations.hpp>
#include <gradual/nn/training/parallel/data_parallel.hpp>

#include "support/catch.hpp"

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

TEST_CASE("data parallel: a process that is alone gets its own gradients, zeros where there are none") {
  Communicator alone;
  CHECK(alone.size() == 1);
  CHECK(alone.sum(2.5) == 2.5);
  const Var a = number(2), b = number(3), unused = number(4);
  // Buckets of one number each, and all in one.
  for (const Index bucket_bytes : {Index(1), Index(1) << 20}) {
    DataParallel parallel(alone, {{"a", a}, {"b", b}, {"unused", unused}}, bucket_bytes);
    for (Var each : {a, b, unused}) each.zero_grad();
    parallel.start();
    backward(a * b * b);
    parallel.finish();
    CHECK(a.grad().item() == 9);
    CHECK(b.grad().item() == 12);
    CHECK(unused.grad().item() == 0);
    CHECK(GradientListener::current() == nullptr);
  }
}
