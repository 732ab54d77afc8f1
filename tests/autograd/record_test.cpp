// Rules that users write: what they are given, and what happens when they are wrong.
#include <gradual/autograd/var.hpp>

#include <stdexcept>
#include <string>

#include <gradual/autograd/operations.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

Var parameter(const std::vector<Real>& values) {
  return Var::parameter(Tensor({static_cast<Index>(values.size())}, values));
}

}  // namespace

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
