// Variables as handles: values, names, constants, and what is refused.
#include <gradual/autograd/var.hpp>

#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include <gradual/autograd/observer.hpp>
#include <gradual/autograd/operations.hpp>
#include <gradual/core/memory.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

Var weight() { return Var::parameter(Tensor({3}, {1, 2, 3})); }

}  // namespace

TEST_CASE("var: a pointer to a value, kept across the forward pass, does not change the gradients") {
  Var w = Var::parameter(Tensor({2}, {3, 4}));
  Real* numbers = w.mutable_data();
  const Var y = sum(w * w);
  numbers[0] = 100;  // the value of w is another now; y was made of the old one
  CHECK(w.value().to_vector() == std::vector<Real>{100, 4});
  backward(y);
  CHECK(w.grad().to_vector() == std::vector<Real>{6, 8});
}

TEST_CASE("var: a pointer into a tensor does not reach the variable that was made of it, or set to it") {
  Tensor x({1}, {1}), y({1}, {2});
  Real *a = x.mutable_data(), *b = y.mutable_data();
  Var v = std::move(x);
  a[0] = 10;
  CHECK(v.value().item() == 1);
  v.set_value(std::move(y));
  b[0] = 20;
  CHECK(v.value().item() == 2);
}

TEST_CASE("var: unguarded numbers of a parameter cost its operations no copy") {
  Var w = Var::parameter(Tensor({2}, {3, 4}));
  w.unguarded_data()[0] = 5;
  const Tensor shared = w.value();
  CHECK(shared.shares_memory_with(w.value()));
  CHECK_THROWS_WITH((w * w).unguarded_data(),
                    "unguarded_data: only a parameter or a constant can be written: this "
                    "is the result of mul, of shape [2]");
}

TEST_CASE("var: a temporary gives its memory back, not what has a name, a slope or an observer") {
  const Var x = weight();
  const Var sum = x + 1;
  const Var named = (sum + 1).named("twice");
  const Var y = Var(sum) + 10 - named;
  CHECK(sum.value().to_vector() == std::vector<Real>{2, 3, 4});
  CHECK(named.value().to_vector() == std::vector<Real>{3, 4, 5});
  CHECK(y.value().to_vector() == std::vector<Real>{9, 9, 9});

  // e^x keeps its value for its slope, and a quotient and a product keep what they were made of.
  backward(gradual::sum(exp(x) + 1 - x / 2 / 2 + (x + 1) * x + 1));
  for (Index i = 0; i < 3; ++i) {
    const auto x_i = static_cast<double>(i + 1);
    CHECK(x.grad().data()[i] == Approx(std::exp(x_i) - 0.25 + 2 * x_i + 1));
  }

  struct Listener : GraphObserver {
    std::vector<Var> seen;
    void forward(const char*, const Var& value, const std::vector<Var>&) override { seen.push_back(value); }
  };
  std::vector<Var> seen;
  {
    Listener listener;
    const Var z = x + 1 + 1;
    seen = listener.seen;
  }
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].value().to_vector() == std::vector<Real>{2, 3, 4});
  Var both = x + 1;
  CHECK((std::move(both) - both).value().to_vector() == std::vector<Real>{0, 0, 0});
}

TEST_CASE("var: a chain of sums holds no more than two values at once") {
  const Var x = Var::parameter(Tensor::ones({1 << 16}));
  const std::int64_t before = memory_statistics().bytes_in_use;
  reset_peak_memory();
  const Var y = x + 1 + 1 + 1 + 1 + 1;
  CHECK(memory_statistics().peak_bytes - before < 3 * x.size() * static_cast<Index>(sizeof(Real)));
  CHECK(y.value().data()[0] == 6);
}

// Each body takes memory of the size that the temporary had, and writes to it.
TEST_CASE("var: what is asked of a temporary outlives it") {
  const Var w = weight();
  std::vector<Real> values;
  for (Real x : (w * 2).value()) {
    values.push_back(x);
    Tensor::full({3}, -1);
  }
  CHECK(values == std::vector<Real>{2, 4, 6});
  Var y = w * 2;
  backward(sum(y.keep_grad() * y));
  values.clear();
  for (Real d : Var(std::move(y)).grad()) {
    values.push_back(d);
    Tensor::full({3}, -1);
  }
  CHECK(values == std::vector<Real>{4, 8, 12});
  const Var& named = (w * 3).named("three");
  CHECK(named.node()->name == "three");

  static_assert(std::is_same_v<decltype(Var().value()), Tensor>);
  static_assert(std::is_same_v<decltype(Var().grad()), Tensor>);
  static_assert(std::is_same_v<decltype(Var().shape()), Shape>);
  static_assert(std::is_same_v<decltype(Var().node()), std::shared_ptr<Node>>);
  static_assert(std::is_same_v<decltype(Tensor().shape()), Shape>);
  static_assert(std::is_same_v<decltype(Indices().shape()), Shape>);
  static_assert(std::is_same_v<decltype(std::declval<EdgeList>().sources()), Indices>);
  static_assert(std::is_same_v<decltype(w.value()), const Tensor&>);
}

TEST_CASE("var: a tensor that is not defined makes none") {
  CHECK_THROWS_WITH(Var(Tensor()), "variable: its tensor must be defined");
  CHECK_THROWS_WITH(Var::parameter(Tensor()), "variable: its tensor must be defined");
  CHECK_THROWS_WITH(Var().mutable_data(), "mutable_data: the variable has no value");
}

TEST_CASE("var: a variable that was default-constructed has no value and says so") {
  const Var nothing;
  CHECK_FALSE(nothing.defined());
  CHECK_FALSE(nothing.requires_grad());
  CHECK_THROWS_AS(nothing.value(), std::logic_error);
  CHECK_THROWS_WITH(nothing.value(), "value: the variable has no value yet: it was default-constructed");
}

TEST_CASE("var: a tensor used as a variable is a constant, without a node and without a gradient") {
  const Var constant = Tensor({2}, {1, 2});
  CHECK_FALSE(constant.requires_grad());
  CHECK(constant.node() == nullptr);
  CHECK_THROWS_AS(constant.grad(), std::logic_error);
  CHECK_THROWS_WITH(constant.grad(), "grad: a constant has no gradient; make it with Var::parameter");
}

TEST_CASE("var: an operation on constants alone makes no node") {
  const Var constant = Tensor({2}, {1, 2});
  CHECK(exp(constant * constant).node() == nullptr);
}

TEST_CASE("var: an operation keeps an edge to its parameters only, not to its constants") {
  const Var w = weight();
  const Var y = w * Var(Tensor({3}, {4, 5, 6}));
  REQUIRE(y.requires_grad());
  CHECK(y.node()->inputs.size() == 1);
  CHECK(y.node()->inputs[0] == w.node());
  CHECK(y.node()->rules.size() == 1);
}

TEST_CASE("var: what the rule of a constant input captured is freed at once") {
  const Var big = Tensor::ones({1000});
  const Var w = Var::parameter(Tensor::ones({1000}));
  const Var y = w + big;  // neither rule of an addition needs a value
  CHECK_FALSE(big.value().is_shared());
  const Var z = w * big;  // the rule of w needs the other factor
  CHECK(big.value().is_shared());
  CHECK_FALSE(w.value().is_shared());  // that of the constant, which would need w, is gone
}

TEST_CASE("var: copies are the same variable, so that tying two weights is assignment") {
  Var a = weight();
  Var b = a;
  CHECK(a.is_same_as(b));
  CHECK_FALSE(a.is_same_as(weight()));
  b.set_value(Tensor({3}, {7, 8, 9}));
  CHECK(a.value().to_vector() == std::vector<Real>{7, 8, 9});
  backward(sum(a * b));  // d(Σ w²)/dw = 2w
  CHECK(a.grad().to_vector() == std::vector<Real>{14, 16, 18});
  CHECK(b.grad().to_vector() == std::vector<Real>{14, 16, 18});
  b.zero_grad();
  CHECK_FALSE(a.grad().defined());
}

TEST_CASE("var: a detached variable has the value and passes no gradient") {
  const Var w = weight();
  const Var d = w.detached();
  CHECK_FALSE(d.requires_grad());
  CHECK(d.value().shares_memory_with(w.value()));
  backward(sum(w * d));
  CHECK(w.grad().to_vector() == std::vector<Real>{1, 2, 3});  // not 2w
}

TEST_CASE("var: while NoGrad lives nothing is recorded, and NoGrads nest") {
  const Var w = weight();
  REQUIRE(grad_enabled());
  {
    const NoGrad outer;
    CHECK_FALSE(grad_enabled());
    {
      const NoGrad inner;
      CHECK_FALSE(exp(w).requires_grad());
    }
    CHECK_FALSE(grad_enabled());
    CHECK(concat({w, w}, 0).node() == nullptr);
    CHECK(cross_entropy(w, Indices(Shape{}, {1})).node() == nullptr);
  }
  CHECK(grad_enabled());
  CHECK(exp(w).requires_grad());
}

TEST_CASE("var: a value can be replaced by one of the same shape, in a parameter or constant") {
  Var w = weight();
  CHECK_THROWS_WITH(w.set_value(Tensor::zeros({2})), "set_value: the shape must stay: [3] got [2]");
  CHECK_THROWS_AS(w.set_value(Tensor::zeros({2})), std::invalid_argument);
  Var y = w * w;
  CHECK_THROWS_AS(y.set_value(Tensor::zeros({3})), std::logic_error);
  CHECK_THROWS_WITH(
      y.set_value(Tensor::zeros({3})),
      "set_value: only a parameter or a constant can be written: this is the result of mul, of shape [3]");
  CHECK_THROWS_WITH(
      y.mutable_data(),
      "mutable_data: only a parameter or a constant can be written: this is the result of mul, of shape [3]");
  backward(sum(y));  // releases the graph: y stays a result
  CHECK_THROWS_AS(y.set_value(Tensor::zeros({3})), std::logic_error);
}

TEST_CASE("var: a name appears in error messages") {
  Var y = weight() * Real(2);
  y.named("doubled");
  CHECK_THROWS_WITH(
      y.set_value(Tensor::zeros({3})),
      "set_value: only a parameter or a constant can be written: this is the result \"doubled\" of "
      "mul, of shape [3]");
}

TEST_CASE("var: updating a parameter in place does not corrupt a value saved for the backward pass") {
  Var w = weight();
  const Var y = sum(w * w * w);  // dy/dw = 3w²
  Real* numbers = w.mutable_data();
  for (Index i = 0; i < 3; ++i) numbers[i] = 100;
  CHECK(w.value().to_vector() == std::vector<Real>{100, 100, 100});
  backward(y);
  CHECK(difference(w.grad(), Tensor({3}, {3, 12, 27})) == "");
}
