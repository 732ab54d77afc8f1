// Rules that users write: what they are given, and what happens when they are wrong.
#include <gradual/autograd/var.hpp>

#include <memory>
#include <stdexcept>
#include <string>

#include <gradual/autograd/operations.hpp>

#include "support/catch.hpp"
#include "support/recomputed.hpp"
#include "support/tensors.hpp"
#include "support/variables.hpp"

using namespace gradual;

TEST_CASE("record: a rule that returns a wrong shape is an error that names the operation") {
  const Var x = parameter({1, 2});
  x.named("weight");
  const auto wrong = [](const Tensor&) { return Tensor::zeros({3}); };
  const std::string message =
      "backward: a rule must return the shape of its input: twist returned [3] for the parameter \"weight\" "
      "of shape [2]";
  const Var by_rule = record("twist", Tensor::scalar(0), {{x, wrong}});
  CHECK_THROWS_AS(backward(by_rule, Graph::keep), std::logic_error);
  CHECK_THROWS_WITH(backward(by_rule), message);
  const Var by_joint_rule =
      record("twist", Tensor::scalar(0), std::vector<Var>{x},
             [&](const Tensor& dy, const std::vector<Gradient>& dx) { dx[0].add(wrong(dy)); });
  CHECK_THROWS_WITH(backward(by_joint_rule), message);
}

TEST_CASE("record: after a rule that threw, a kept graph gives the right gradients") {
  const Var x = parameter({2});
  bool fails = true;
  const Var a = x * x;
  const Var b = record("moody", a.value(), {{a, [&](const Tensor& dy) {
                                               if (fails) throw std::runtime_error("not now");
                                               return dy;
                                             }}});
  const Var y = a + b;  // a has its first gradient when the rule of b throws
  CHECK_THROWS_AS(backward(y, Graph::keep), std::runtime_error);
  fails = false;
  backward(y);
  CHECK(x.grad().to_vector() == std::vector<Real>{8});
}

TEST_CASE("record: a pass in which a rule threw leaves all gradients as they were before it") {
  const Var x = parameter({2}), w = parameter({3});
  bool fails = false;
  const Var a = x * w;
  a.keep_grad();
  const Var moody = record("moody", a.value(), {{a, [&](const Tensor& dy) {
                                                   if (fails) throw std::runtime_error("not now");
                                                   return dy;
                                                 }}});
  const Var y = moody + x * x;  // the gradients of x·x reach x before the rule throws
  backward(y, Graph::keep);
  for (int attempt = 0; attempt < 2; ++attempt) {
    fails = true;
    CHECK_THROWS_WITH(backward(y, Graph::keep), "not now");
    CHECK(x.grad().to_vector() == std::vector<Real>{7});  // w + 2x
    CHECK(w.grad().to_vector() == std::vector<Real>{2});
    CHECK(a.grad().to_vector() == std::vector<Real>{1});
  }
  fails = false;
  backward(y, Graph::keep);
  CHECK(x.grad().to_vector() == std::vector<Real>{14});
  CHECK(w.grad().to_vector() == std::vector<Real>{4});
  CHECK(a.grad().to_vector() == std::vector<Real>{2});
}

TEST_CASE("record: a rule that threw on the first pass leaves no gradient, and a released graph says so") {
  const Var x = parameter({2});
  const auto fail = [](const Tensor&) -> Tensor { throw std::runtime_error("not now"); };
  const Var a = x * x;
  const Var y = record("moody", a.value(), {{a, fail}}) + x;
  CHECK_THROWS_WITH(backward(y), "not now");
  CHECK_FALSE(x.grad().defined());
  CHECK_THROWS_WITH(backward(y), Contains("an earlier backward released the result of add"));
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("record: a rule that returns nothing is an error, even where the input is a scalar") {
  const Var x = Var::parameter(Tensor::scalar(1));
  const Var y = record("forget", Tensor::scalar(0), {{x, [](const Tensor&) { return Tensor(); }}});
  CHECK_THROWS_WITH(backward(y),
                    "backward: a rule must return the shape of its input: forget returned nothing for the "
                    "parameter of shape []");
}

TEST_CASE("record: the sum of gradients of a constant is refused") {
  const Var x = parameter({1});
  const Var y = record("both", x.value(), std::vector<Var>{x, Tensor::scalar(2)},
                       [](const Tensor&, const std::vector<Gradient>& dx) { dx[1].sum(); });
  CHECK_THROWS_AS(backward(y, Graph::keep), std::logic_error);
  CHECK_THROWS_WITH(
      backward(y),
      "sum: only an input that wants a gradient has a sum of them: this input of both is a constant; "
      "ask wanted() first");
}

TEST_CASE("record: a joint rule sees which inputs want a gradient, and may leave some without") {
  const Var x = parameter({1, 2}), y = parameter({3, 4});
  const Var constant = Tensor({2}, {5, 6});
  std::vector<bool> wanted;
  const Var z = record("first", x.value(), std::vector<Var>{x, y, constant},
                       [&](const Tensor& dy, const std::vector<Gradient>& dx) {
                         for (const Gradient& each : dx) wanted.push_back(each.wanted());
                         CHECK(dx[0].empty());
                         dx[0].add(dy);
                         CHECK_FALSE(dx[0].empty());
                         dx[2].add(dy);  // a constant: nothing happens
                       });
  backward(z, Tensor({2}, {7, 8}));
  CHECK(wanted == std::vector<bool>{true, true, false});
  CHECK(x.grad().to_vector() == std::vector<Real>{7, 8});
  CHECK_FALSE(y.grad().defined());
}

namespace {

// Notes which parameters are complete, and their gradients at that moment.
struct Notes : GradientListener {
  Notes() { listen(); }
  void complete(const Node& parameter) override { seen.emplace_back(parameter.name, parameter.grad.item()); }
  std::vector<std::pair<std::string, Real>> seen;
};

}  // namespace

TEST_CASE("listener: each parameter is told of once, after the last operation that adds to its gradient") {
  const Var x = parameter({2}), w = parameter({5}), unused = parameter({1});
  x.named("x");
  w.named("w");
  const Var y = x * w + x;
  {
    Notes notes;
    backward(y, Graph::keep);
    CHECK(notes.seen == std::vector<std::pair<std::string, Real>>{{"x", 6}, {"w", 2}});
  }
  CHECK(GradientListener::current() == nullptr);
  backward(y);  // nobody listens
  CHECK(x.grad().item() == 12);
}

TEST_CASE("listener: one that stopped or was followed by another is told nothing") {
  const Var x = parameter({2});
  Notes first;
  Notes second;
  backward(x * x);
  CHECK(first.seen.empty());
  CHECK(second.seen.size() == 1);
  {
    auto third = std::make_unique<Notes>();
    const Notes fourth;
    third.reset();
    backward(x * x);  // the third takes nobody's place with it
    CHECK(fourth.seen.size() == 1);
  }
  backward(x * x);  // the fourth is gone, and did not leave itself behind
  CHECK(second.seen.size() == 1);
}

TEST_CASE("record: a rule that walks back through a block gives its parameters what the block itself would") {
  const Var x = parameter({2}), w = parameter({3});
  const auto block = [&](const Var& in) { return in * w; };
  const Var y = recomputed(block, recomputed(block, x));  // x·w²
  CHECK(open_walks() == 0);
  backward(y);
  CHECK(open_walks() == 0);
  CHECK(x.grad().item() == 9);
  CHECK(w.grad().item() == 12);  // 2·x·w
}

TEST_CASE("record: what a walk inside a rule has added is taken back when a later rule throws") {
  const Var x = parameter({2}), w = parameter({3});
  const auto fail = [](const Tensor&) -> Tensor { throw std::runtime_error("not now"); };
  const auto block = [&](const Var& in) { return in * w; };
  const Var moody = record("moody", x.value(), {{x, fail}});
  const Var y = recomputed(block, recomputed(block, moody));
  for (const Real earlier : {Real(0), Real(5)}) {
    Var before = w;
    before.zero_grad();
    if (earlier > 0) backward(w * earlier);
    for (int attempt = 0; attempt < 2; ++attempt) CHECK_THROWS_WITH(backward(y, Graph::keep), "not now");
    if (earlier > 0)
      CHECK(w.grad().item() == earlier);
    else
      CHECK_FALSE(w.grad().defined());
  }
}

TEST_CASE("gradients aside: they begin with none, and are afterwards as before, those inside rules, too") {
  const Var x = parameter({2}), w = parameter({3}), other = parameter({1});
  backward(x * 7 + w * 5 + other);
  {
    GradientsAside aside;
    aside.put(other.node());
    aside.put(other.node());
    CHECK_FALSE(other.grad().defined());
    backward(recomputed([&](const Var& in) { return in * w; }, x));
    CHECK(x.grad().item() == 3);
    CHECK(w.grad().item() == 2);
    {
      const GradientsAside inner;
      backward(x * x);
      CHECK(x.grad().item() == 4);
    }
    CHECK(x.grad().item() == 3);
  }
  CHECK(x.grad().item() == 7);
  CHECK(w.grad().item() == 5);
  CHECK(other.grad().item() == 1);
}
