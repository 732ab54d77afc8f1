// The walk back through the graph.
#include <gradual/autograd/var.hpp>

#include <functional>
#include <utility>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/memory.hpp>
#include <gradual/core/threads.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"
#include "support/variables.hpp"

using namespace gradual;

namespace {

std::vector<Real> gradient(const Var& x) { return x.grad().to_vector(); }

}  // namespace

TEST_CASE("backward: the gradient of x·y + x is y + 1 and x") {
  const Var x = parameter({2, 3}), y = parameter({5, 7});
  backward(sum(x * y + x));
  CHECK(gradient(x) == std::vector<Real>{6, 8});
  CHECK(gradient(y) == std::vector<Real>{2, 3});
}

TEST_CASE("backward: a variable that is used twice gets the sum of both gradients") {
  const Var x = parameter({3, 4});
  backward(sum(x * x + x * Real(10)));  // 2x + 10
  CHECK(gradient(x) == std::vector<Real>{16, 18});
}

TEST_CASE("backward: where paths part and meet again, each is counted once") {
  const Var x = parameter({2});
  const Var a = x * x;        // 4
  const Var b = a * Real(3);  // 12
  const Var c = a * a;        // 16
  const Var y = b * c + c;    // 3a³ + a² = 3x⁶ + x⁴
  backward(sum(y));           // 18x⁵ + 4x³ = 576 + 32
  CHECK(gradient(x) == std::vector<Real>{608});
}

TEST_CASE("backward: thirty diamonds in a row cost thirty steps, not a billion") {
  const Var x = parameter({1});
  Var y = x;
  for (int i = 0; i < 30; ++i) y = y + y;
  CHECK(reachable_nodes(y).size() == 31);
  backward(y);
  CHECK(gradient(x) == std::vector<Real>{1 << 30});
}

TEST_CASE("backward: nodes are walked from the youngest to the oldest") {
  const Var x = parameter({1});
  const Var a = exp(x), b = exp(a), c = a * b;
  const auto nodes = reachable_nodes(c);
  REQUIRE(nodes.size() == 4);
  CHECK(nodes[0] == c.node());
  CHECK(nodes[1] == b.node());
  CHECK(nodes[2] == a.node());
  CHECK(nodes[3] == x.node());
}

TEST_CASE("backward: a constant gets no gradient, and what it was made from is not walked") {
  const Var x = parameter({2}), unrelated = parameter({1});
  const Var constant = exp(unrelated).detached();
  backward(x * constant);
  CHECK(gradient(x) == constant.value().to_vector());
  CHECK_FALSE(unrelated.grad().defined());
}

TEST_CASE("backward: the seed is the gradient of y") {
  const Var x = parameter({1, 2, 3});
  backward(x * x, Tensor({3}, {1, 10, 100}));
  CHECK(gradient(x) == std::vector<Real>{2, 40, 600});
}

TEST_CASE("backward: a parameter's own gradient is the seed") {
  const Var x = parameter({1, 2});
  backward(x, Tensor({2}, {3, 4}));
  CHECK(gradient(x) == std::vector<Real>{3, 4});
}

TEST_CASE(
    "backward: y without a parameter, without one element or with a seed that does not fit is refused") {
  const Var x = parameter({1, 2});
  CHECK_THROWS_AS(backward(Var(Tensor::scalar(1))), std::logic_error);
  CHECK_THROWS_WITH(backward(Var(Tensor::scalar(1))),
                    "backward: y must depend on a parameter: it is a constant");
  CHECK_THROWS_AS(backward(x * x), std::invalid_argument);
  CHECK_THROWS_WITH(backward(x * x), "backward: y must have one element unless a seed is given: y is [2]");
  CHECK_THROWS_AS(backward(x * x, Tensor::ones({1, 2})), std::invalid_argument);
  CHECK_THROWS_WITH(backward(x * x, Tensor::ones({1, 2})),
                    "backward: the seed must have the shape of y: y is [2], seed is [1, 2]");
  CHECK_THROWS_WITH(backward(Var::parameter(Tensor::scalar(1)), Tensor()),
                    "backward: the seed must have the shape of y: y is [], seed is not defined");
}

TEST_CASE("backward: gradients add up over calls until zero_grad") {
  Var x = parameter({2});
  backward(x * x);
  backward(x * x);
  CHECK(gradient(x) == std::vector<Real>{8});
  x.zero_grad();
  CHECK_FALSE(x.grad().defined());
  backward(x * x);
  CHECK(gradient(x) == std::vector<Real>{4});
}

TEST_CASE("backward: a gradient that was handed out does not change when more is added") {
  const Var x = parameter({2});
  backward(x * x);
  const Tensor first = x.grad();
  backward(x * x);
  CHECK(first.to_vector() == std::vector<Real>{4});
}

TEST_CASE("backward: a released graph says how to keep it") {
  const Var x = parameter({2});
  const Var y = x * x;
  backward(y);
  CHECK_THROWS_AS(backward(y), std::logic_error);
  CHECK_THROWS_WITH(backward(y),
                    "backward: an earlier backward released the result of mul, of shape [1]; keep it with "
                    "backward(y, Graph::keep)");
  CHECK(gradient(x) == std::vector<Real>{4});  // the refused call changed nothing
}

TEST_CASE("backward: a result of a released graph is refused in a new one, too, by its name") {
  const Var x = parameter({2});
  const Var shared = (x * x).named("shared");
  backward(exp(shared));
  CHECK_THROWS_AS(backward(exp(shared)), std::logic_error);
  CHECK_THROWS_WITH(backward(exp(shared)), Contains("released the result \"shared\" of mul"));
}

TEST_CASE("backward: a kept graph can be walked again, which doubles the gradients") {
  const Var x = parameter({2});
  const Var y = x * x * x;  // whole numbers, so that sums are exact
  backward(y, Graph::keep);
  const Real once = x.grad().item();
  backward(y, Graph::keep);
  CHECK(x.grad().item() == 2 * once);
  backward(y);
  CHECK(x.grad().item() == 3 * once);
  CHECK_THROWS_AS(backward(y), std::logic_error);
}

TEST_CASE("keep_grad: a result keeps its gradient, others give theirs back") {
  const Var x = parameter({2});
  const Var a = x * x, b = a * Real(3), y = b * b;
  a.keep_grad();
  backward(y);  // y = 9a²: dy/da = 18a = 72
  CHECK(gradient(a) == std::vector<Real>{72});
  CHECK_FALSE(b.grad().defined());
  CHECK(gradient(x) == std::vector<Real>{288});
}

TEST_CASE("keep_grad: a gradient that was kept does not flow back a second time") {
  const Var x = parameter({2});
  const Var a = x * x, y = a * Real(3);
  a.keep_grad();
  backward(y, Graph::keep);
  backward(y, Graph::keep);
  CHECK(gradient(a) == std::vector<Real>{6});   // 3 + 3
  CHECK(gradient(x) == std::vector<Real>{24});  // twice 3·2x
}

TEST_CASE("keep_grad: y itself can keep its gradient, the seed") {
  const Var x = parameter({2});
  const Var y = x * x;
  y.keep_grad();
  backward(y, Tensor({1}, {5}));
  CHECK(gradient(y) == std::vector<Real>{5});
  CHECK(gradient(x) == std::vector<Real>{20});
}

TEST_CASE("backward: a chain of 300,000 operations overflows no stack, in the walk or when it ends") {
  const Var x = parameter({1});
  const auto chain = [&] {
    Var y = x;
    for (int i = 0; i < 300'000; ++i) y = -y;
    return y;
  };
  SECTION("walked and released") {
    backward(chain());
    CHECK(gradient(x) == std::vector<Real>{1});
  }
  SECTION("walked and kept") {
    const Var y = chain();
    backward(y, Graph::keep);
    CHECK(gradient(x) == std::vector<Real>{1});
  }
  SECTION("dropped without a walk") {
    const Var y = chain();
    CHECK(reachable_nodes(y).size() == 300'001);
  }
}

TEST_CASE("backward: memory falls as it goes, unless the graph is kept") {
  constexpr Index layers = 20, numbers = 100'000;
  const std::int64_t one = numbers * static_cast<std::int64_t>(sizeof(Real));
  // Each layer saves one tensor, its tanh, and has a gradient of the same size: as one comes the other may
  // go.
  const auto extra_tensors = [&](Graph graph) {
    std::vector<Var> weights;
    for (Index i = 0; i < layers; ++i) weights.push_back(Var::parameter(Tensor::ones({numbers})));
    Var y = Tensor::ones({numbers});
    for (const Var& w : weights) y = tanh(y * w);
    const Var loss = sum(y);
    y = Var();
    const std::int64_t before = memory_statistics().bytes_in_use;
    reset_peak_memory();
    backward(loss, graph);
    return static_cast<double>(memory_statistics().peak_bytes - before) / static_cast<double>(one);
  };
  CHECK(extra_tensors(Graph::release) < 5);
  CHECK(extra_tensors(Graph::keep) > layers);
}

TEST_CASE("backward: a loss that is kept holds none of its parameters and none of their gradients") {
  constexpr Index numbers = 100'000;
  const std::int64_t before = memory_statistics().bytes_in_use;
  Var loss;
  {
    const Var w = Var::parameter(Tensor::ones({numbers}));
    loss = sum(w * w);
    backward(loss);
    CHECK(memory_statistics().bytes_in_use - before > 2 * numbers * static_cast<std::int64_t>(sizeof(Real)));
  }
  CHECK(memory_statistics().bytes_in_use - before < numbers);
}

TEST_CASE("backward: when loss and parameters are gone, so is all memory of the graph") {
  const std::int64_t before = memory_statistics().bytes_in_use;
  {
    const Var w = Var::parameter(random_tensor({50, 50}, 1));
    const Var loss = sum(softmax(matmul(tanh(w), w)));
    backward(loss, Graph::keep);
    const Var dropped = exp(w);
  }
  CHECK(memory_statistics().bytes_in_use == before);
}

namespace {

// A small transformer's worth of operations, large enough that the threads share them.
std::vector<std::vector<Real>> outputs_and_gradients() {
  constexpr Index B = 8, T = 40, D = 64, V = 500;
  std::vector<Var> weights;
  const auto weight = [&](const Shape& shape) {
    weights.push_back(Var::parameter(random_tensor(shape, 100 + weights.size(), -0.2, 0.2)));
    return weights.back();
  };
  std::vector<std::int32_t> ids;
  Random random(7);
  for (Index i = 0; i < B * T; ++i) ids.push_back(static_cast<std::int32_t>(random.below(V)));
  const Indices words({B, T}, ids);

  const Var table = weight({V, D});
  Var x = dropout(embedding(words, table), DropoutMask(0.1, 1));
  const Var normal = layer_norm(x, weight({D}), weight({D}));
  const Var packed = linear(normal, weight({3 * D, D}), weight({3 * D}));
  AttentionOptions options;
  options.mask.causal = true;
  options.dropout = DropoutMask(0.1, 2);
  x = x + attention({packed, 0}, {packed, D}, {packed, 2 * D}, 4, D / 4, D / 4, options);
  x = x + matmul(gelu(matmul(x, weight({D, 4 * D}))), weight({4 * D, D}));
  const Var similar = softmax(matmul(x, x, {false, true}));
  x = x + matmul(similar, x) + mean(x, {0, 1}) + max(x, {1}, Axis::kept);
  const Var loss = linear_cross_entropy(x, table, words, {0, 0.1});
  backward(loss);

  std::vector<std::vector<Real>> result{loss.value().to_vector(), x.value().to_vector()};
  for (const Var& w : weights) result.push_back(gradient(w));
  return result;
}

}  // namespace

TEST_CASE("backward: the same run gives the same bits, on 1, 2 and 4 threads") {
  const int before = thread_count();
  set_thread_count(1);
  const auto expected = outputs_and_gradients();
  for (int threads : {1, 2, 4}) {
    set_thread_count(threads);
    for (int run = 0; run < 3; ++run) CHECK((outputs_and_gradients() == expected));
  }
  set_thread_count(before);
}
