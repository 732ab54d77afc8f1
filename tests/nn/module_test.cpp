#include <gradual/nn/module.hpp>

#include <gradual/nn/layers/norms.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

struct Pair {
  Linear first{2, 3, Random(1)}, second{3, 1, Random(2), Linear::Bias::no};
  std::vector<LayerNorm> norms{LayerNorm(3), LayerNorm(3)};
  Dropout dropout{0.5, Random(3)};
  void visit(Visitor& v) {
    v("first", first);
    v("second", second);
    v("norms", norms);
    v("dropout", dropout);
  }
};

}  // namespace

TEST_CASE("module: parameters come in the order of visit with their full names, missing biases left out") {
  Pair pair;
  std::vector<std::string> names;
  for (const NamedParameter& parameter : parameters(pair)) names.push_back(parameter.name);
  CHECK(names == std::vector<std::string>{"first.weight", "first.bias", "second.weight", "norms.0.gain",
                                          "norms.0.bias", "norms.1.gain", "norms.1.bias"});
  CHECK(count(parameters(pair)) == 6 + 3 + 3 + 4 * 3);
  CHECK_THAT(summary(parameters(pair)), Contains("first.weight [3, 2]\n") && Contains("24 parameters"));
}

TEST_CASE("module: weights that are one variable are listed once") {
  Pair pair;
  pair.norms[1].gain = pair.norms[0].gain;
  CHECK(parameters(pair).size() == 6);
}

TEST_CASE("module: dropout drops in training only, and zero_gradients clears") {
  Pair pair;
  const Var x(Tensor::ones({1000}));
  set_training(pair, false);
  CHECK(sum(pair.dropout(x)).value().item() == 1000);
  set_training(pair, true);
  const Tensor dropped = pair.dropout(x).value();
  const auto zeros = std::count(dropped.begin(), dropped.end(), Real(0));
  CHECK(zeros > 400);
  CHECK(zeros < 600);

  backward(sum(pair.first(Tensor::ones({1, 2}))));
  CHECK(pair.first.weight.grad().defined());
  zero_gradients(parameters(pair));
  CHECK_FALSE(pair.first.weight.grad().defined());
}

TEST_CASE("module: set_parameters takes all values or none, and says which does not fit") {
  Pair pair;
  std::vector<std::pair<std::string, Tensor>> values;
  for (const NamedParameter& parameter : parameters(pair))
    values.emplace_back(parameter.name, Tensor::ones(parameter.variable.shape()));
  set_parameters(parameters(pair), values);
  CHECK(pair.first.weight.value()({2, 1}) == 1);

  auto renamed = values;
  renamed[0] = {"other", Tensor::zeros({3, 2})};
  CHECK_THROWS_WITH(set_parameters(parameters(pair), renamed),
                    "parameters: each needs a value: none for \"first.weight\"");
  auto reshaped = values;
  reshaped[1].second = Tensor::zeros({4});
  CHECK_THROWS_WITH(set_parameters(parameters(pair), reshaped),
                    "parameters: shapes must be equal: \"first.bias\" is [3], its value is [4]");
  auto more = values;
  more.emplace_back("extra", Tensor::zeros({1}));
  CHECK_THROWS_WITH(set_parameters(parameters(pair), more),
                    "parameters: each value needs a parameter: none for \"extra\"");
  auto twice = values;
  twice.emplace_back("first.bias", Tensor::zeros({3}));
  CHECK_THROWS_WITH(set_parameters(parameters(pair), twice),
                    "parameters: each value needs a name of its own: two are \"first.bias\"");
  auto undefined = values;
  undefined.back().second = Tensor();
  CHECK_THROWS_WITH(set_parameters(parameters(pair), undefined), Contains("is not defined"));
  auto same_name = parameters(pair);
  same_name.push_back(same_name[1]);
  CHECK_THROWS_WITH(set_parameters(same_name, values),
                    "parameters: each needs a value: none for \"first.bias\"");
  CHECK(pair.first.weight.value()({0, 0}) == 1);
}
