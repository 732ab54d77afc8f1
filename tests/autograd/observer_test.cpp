#include <gradual/autograd/observer.hpp>

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gradual/autograd/operations.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

// Writes down what it is told: "exp" forward, "<exp" before its rules, "<<exp" after them.
class Listener : public GraphObserver {
 public:
  void forward(const char* operation, const Var& y, const std::vector<Var>& inputs) override {
    heard += std::string(operation) + (y.requires_grad() ? " " : "! ");
    last_inputs = inputs;
  }
  void backward(const Node& node, const Tensor& dy) override {
    heard += std::string("<") + node.operation + " ";
    dy_sum += sum(dy).item();
  }
  void passed_back(const Node& node) override {
    heard += std::string("<<") + node.operation + " ";
    for (const auto& input : node.inputs) CHECK((!input || input->grad.defined()));
  }

  std::string heard;
  std::vector<Var> last_inputs;
  Real dy_sum = 0;
};

}  // namespace

TEST_CASE("observer: hears operations as they happen, and the walk back, gradients and all") {
  const Var x = Var::parameter(Tensor({2}, {1, 2}));
  Listener listener;
  backward(sum(exp(x) * 3));
  CHECK(listener.heard == "exp mul sum <sum <<sum <mul <<mul <exp <<exp ");
  CHECK(listener.dy_sum == 1 + 2 + 6);  // 1 for the sum, 1 each for the products, 3 each for exp
}

TEST_CASE(
    "observer: hears of constants, of what is not recorded, and of inputs that an operation does without") {
  const Var x = Var::parameter(Tensor({1, 2}, {1, 2})), w = Var::parameter(Tensor::ones({3, 2}));
  Listener listener;
  const Var words = Tensor::zeros({1, 1, 2});
  attention({words}, {words}, {words}, 1, 2, 2);
  REQUIRE(listener.last_inputs.size() == 4);
  CHECK_FALSE(listener.last_inputs[3].defined());  // no bias
  linear(x, w);
  CHECK(listener.heard == "attention! linear ");
  {
    const NoGrad no_grad;
    layer_norm(x, Tensor::ones({2}), Tensor::zeros({2}));
  }
  CHECK(listener.heard == "attention! linear layer_norm! ");
  REQUIRE(listener.last_inputs.size() == 3);
  CHECK(listener.last_inputs[0].is_same_as(x));
  CHECK_FALSE(listener.last_inputs[1].requires_grad());
}

TEST_CASE("observer: several are told, those of this thread alone, and only while they live") {
  const Var x = Var::parameter(Tensor({1}, {1}));
  Listener first;
  {
    Listener second;
    exp(x);
    CHECK(second.heard == "exp ");
  }
  auto third = std::make_unique<Listener>();
  Listener fourth;
  third.reset();  // not the newest
  log(x);
  CHECK(first.heard == "exp log ");
  CHECK(fourth.heard == "log ");
  std::thread([&] { tanh(x); }).join();
  CHECK(fourth.heard == "log ");
}

TEST_CASE("observer: what one computes it is not told of; what it throws leaves gradients as they were") {
  struct Computing : GraphObserver {
    void forward(const char*, const Var& y, const std::vector<Var>&) override { ++calls, exp(y); }
    void passed_back(const Node&) override { throw std::runtime_error("enough"); }
    int calls = 0;
  };
  const Var x = Var::parameter(Tensor({1}, {1}));
  {
    Computing computing;
    const Var y = log(x);
    CHECK(computing.calls == 1);
    CHECK_THROWS_WITH(backward(y), "enough");
    CHECK_FALSE(x.grad().defined());
    CHECK_THROWS_WITH(backward(exp(x)), "enough");  // it listens again
  }
  backward(log(x));
  CHECK(x.grad().item() == 1);
}

TEST_CASE("observer: what it puts in place of a result goes on; the slope stays that of the result") {
  struct Zeros : GraphObserver {
    Tensor instead_of(const Var& y) override { return y.size() == 2 ? Tensor::zeros({2}) : Tensor(); }
  };
  const Var x = Var::parameter(Tensor({2}, {1, 2}));
  const Zeros zeros;
  const Var y = sum(x * x + 1);
  CHECK(y.value().item() == 0);  // what was added is gone, too
  backward(y);
  CHECK(x.grad().to_vector() == std::vector<Real>{2, 4});
  struct Wrong : GraphObserver {
    Tensor instead_of(const Var&) override { return Tensor::zeros({3}); }
  } wrong;
  CHECK_THROWS_WITH(exp(x),
                    "exp: what an observer puts in place of a result must have its shape: [2] got [3]");
}

TEST_CASE("observer: hears that a walk back begins, and with which seed, before anything is changed") {
  struct Refusing : GraphObserver {
    void backward_begins(const Tensor& seed) override {
      seeds.push_back(seed.item());
      if (seed.item() < 0) throw std::runtime_error("below 0");
    }
    std::vector<Real> seeds;
  } observer;
  const Var x = Var::parameter(Tensor::scalar(1));
  const Var y = x * 2;
  backward(y, Tensor::scalar(3), Graph::keep);
  CHECK_THROWS_WITH(backward(y, Tensor::scalar(-1)), "below 0");
  CHECK(observer.seeds == std::vector<Real>{3, -1});
  CHECK(x.grad().item() == 6);
  backward(y);  // as if it had not been tried
  CHECK(x.grad().item() == 8);
}
