#include <gradual/nn/diagnosis/rule_check.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/layers/layers.hpp>

#include "nn/diagnosis/tiny_models.hpp"
#include "support/catch.hpp"
#include "support/recomputed.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

using Function = std::function<Var(const Var& x)>;  // [3, 4, 4] to the same

struct Fault {
  const char* operation;
  Function of;
};

// An operation of one input with a rule of one's own.
Var made(const char* name, const Tensor& y, const Var& x,
         const std::function<Tensor(const Tensor& dy)>& rule) {
  return record(name, y, {{x, [rule](const Tensor& dy) { return rule(dy); }}});
}

Tensor row_sums(const Tensor& x) { return sum(x, {2}, Axis::kept); }

// What people get wrong in derivatives.
const std::vector<Fault>& faults() {
  static const Tensor ones = Tensor::ones({3, 4, 4}), other = random_tensor({3, 4, 4}, 77);
  static const std::vector<Fault> all = {
      {"exp",
       [](const Var& x) { return made("exp", exp(x.value()), x, [](const Tensor& dy) { return dy; }); }},
      {"tanh",
       [](const Var& x) {
         const Tensor y = tanh(x.value());
         return made("tanh", y, x, [y](const Tensor& dy) { return dy * (1 - y); });
       }},
      {"sigmoid",
       [](const Var& x) {
         const Tensor y = sigmoid(x.value());
         return made("sigmoid", y, x, [y](const Tensor& dy) { return dy * y; });
       }},
      {"relu",
       [](const Var& x) { return made("relu", relu(x.value()), x, [](const Tensor& dy) { return dy; }); }},
      {"square",
       [](const Var& x) {
         const Tensor v = x.value();
         return made("square", v * v, x, [v](const Tensor& dy) { return dy * v; });
       }},
      {"sqrt",
       [](const Var& x) {
         const Var above = x * x + 1;
         const Tensor y = sqrt(above.value());
         return made("sqrt", y, above, [y](const Tensor& dy) { return dy / y; });
       }},
      {"log",
       [](const Var& x) {
         const Var above = x * x + 1;
         const Tensor v = above.value();
         return made("log", log(v), above, [v](const Tensor& dy) { return dy * v; });
       }},
      {"sin",
       [](const Var& x) {
         const Tensor v = x.value();
         return made("sin", sin(v), x, [v](const Tensor& dy) { return -(dy * cos(v)); });
       }},
      {"sub",
       [](const Var& x) { return made("sub", other - x.value(), x, [](const Tensor& dy) { return dy; }); }},
      {"mul",
       [](const Var& x) {
         const Tensor v = x.value();
         return made("mul", v * other, x, [v](const Tensor& dy) { return dy * v; });
       }},
      {"div",
       [](const Var& x) {
         const Var above = x * x + 1;
         const Tensor v = above.value();
         return made("div", 1 / v, above, [v](const Tensor& dy) { return dy / (v * v); });
       }},
      {"matmul",
       [](const Var& x) {
         return made("matmul", matmul(x.value(), other), x,
                     [](const Tensor& dy) { return matmul(dy, other); });
       }},
      {"softmax",  // the diagonal alone
       [](const Var& x) {
         const Tensor y = softmax(x).value();
         return made("softmax", y, x, [y](const Tensor& dy) { return dy * y * (1 - y); });
       }},
      {"softmax",  // without y in front
       [](const Var& x) {
         const Tensor y = softmax(x).value();
         return made("softmax", y, x, [y](const Tensor& dy) { return dy - row_sums(dy * y); });
       }},
      {"layer_norm",  // mean and deviation taken for constants
       [](const Var& x) {
         const Tensor v = x.value(), middle = mean(v, {2}, Axis::kept),
                      deviation = sqrt(mean((v - middle) * (v - middle), {2}, Axis::kept) + Real(1e-5));
         return made("layer_norm", (v - middle) / deviation, x,
                     [deviation](const Tensor& dy) { return dy / deviation; });
       }},
      {"mean",
       [](const Var& x) {
         return made("mean", ones * mean(x.value(), {2}, Axis::kept), x,
                     [](const Tensor& dy) { return ones * row_sums(dy); });
       }},
      {"transpose",
       [](const Var& x) {
         return made("transpose", transpose(x.value()), x, [](const Tensor& dy) { return dy; });
       }},
      {"cumsum",
       [](const Var& x) {
         return made("cumsum", cumsum(x.value(), 2), x, [](const Tensor& dy) { return cumsum(dy, 2); });
       }},
      {"scale",  // √d forgotten on the way back
       [](const Var& x) { return made("scale", x.value() / 2, x, [](const Tensor& dy) { return dy; }); }},
      {"clip",  // one row of many
       [](const Var& x) {
         return made("clip", x.value() * 1, x, [](const Tensor& dy) {
           Tensor dx = dy;
           dx.mutable_data()[5] = 0;
           return dx;
         });
       }},
  };
  return all;
}

template <class Module>
void check_sound(Module model) {
  const EvaluationScope evaluation;
  const auto before = parameters(model).front().variable.value().to_vector();
  for (const WrongRule& wrong : find_wrong_rules([&] { return tiny::loss_of(model); }))
    FAIL_CHECK(wrong.text);
  CHECK(parameters(model).front().variable.value().to_vector() == before);
  CHECK_FALSE(parameters(model).front().variable.grad().defined());
}

}  // namespace

TEST_CASE("rule check: the first wrong rule is found in 20 of 20 planted faults") {
  const Var table = Var::parameter(random_tensor({7, 4}, 3)).named("words.weight");
  const Linear inner(4, 4, Random(5)), output(4, 7, Random(6));
  const Indices ids({3, 4}, {1, 2, 3, 4, 5, 6, 0, 1, 2, 2, 3, 3}),
      next({3, 4}, {2, 3, 4, 5, 6, 0, 1, 2, 2, 3, 3, 1});
  REQUIRE(faults().size() == 20);
  for (const Fault& fault : faults()) {
    INFO(fault.operation);
    const auto loss = [&] {
      const Var h = layer_norm(inner(embedding(ids, table)), Tensor::ones({4}), Tensor::zeros({4}));
      return cross_entropy(output(h + tanh(fault.of(h))), next);
    };
    const std::vector<WrongRule> wrong = find_wrong_rules(loss);
    REQUIRE(wrong.size() == 1);
    CHECK(wrong[0].operation == fault.operation);
  }
}

TEST_CASE("rule check: a second fault does not hide the first, and a right model has none") {
  const Var x = Var::parameter(random_tensor({3, 4, 4}, 3)).named("x");
  const auto loss = [&](bool faulty) { return sum(faulty ? faults()[4].of(faults()[0].of(x)) : exp(x) * x); };
  const std::vector<WrongRule> wrong = find_wrong_rules([&] { return loss(true); });
  REQUIRE(wrong.size() == 2);
  CHECK(wrong[0].operation == "exp");
  CHECK(wrong[0].number == 1);
  CHECK(wrong[0].input == "the parameter \"x\" of shape [3, 4, 4]");
  CHECK(wrong[1].operation == "square");
  CHECK(wrong[1].by_difference == Approx(2 * wrong[1].by_rule));
  CHECK(find_wrong_rules([&] { return loss(false); }).empty());
}

TEST_CASE("rule check: of an operation that can also add to a sum in place, either way is checked") {
  const Var x = Var::parameter(random_tensor({3, 4, 4}, 3));
  const auto wrong = [&](Real by_rule, Real in_place) {
    return find_wrong_rules([&] {
      return sum(record("twice", x.value() * 2,
                        {{x, [=](const Tensor& dy) { return dy * by_rule; },
                          [=](const Tensor& dy, Tensor& total) { total = total + dy * in_place; }}}));
    });
  };
  CHECK(wrong(2, 2).empty());
  REQUIRE(wrong(3, 2).size() == 1);
  CHECK(wrong(3, 2)[0].operation == "twice");
  REQUIRE(wrong(2, 3).size() == 1);
  CHECK(wrong(2, 3)[0].operation == "twice");
}

TEST_CASE("rule check: what is tolerated is a share, of small slopes and of large ones") {
  for (const Real size : {Real(1e-3), Real(1e3)}) {
    const Var x = Var::parameter(random_tensor({3, 4, 4}, 3) * size);
    CHECK(find_wrong_rules([&] { return sum(faults()[4].of(x)); }).size() == 1);
    CHECK(find_wrong_rules([&] { return sum(x * x); }).empty());
  }
}

TEST_CASE(
    "rule check: nothing is wrong with a transformer, a recurrent model, a language model and a classifier") {
  check_sound(Transformer(tiny::transformer(), Random(1)));
  check_sound(RecurrentTranslator(tiny::recurrent(), Random(1)));
  StackConfig modern = tiny::stack(1);
  modern.positions = "rotary";
  modern.activation = "swiglu";
  modern.norm_kind = "rms_norm";
  check_sound(LanguageModel(modern, Random(1)));
  check_sound(Classifier(tiny::stack(1), 3, Pooling::attention, Random(1)));
}

TEST_CASE("rule check: what cannot be measured is refused") {
  const Var x = Var::parameter(random_tensor({3}, 1));
  int calls = 0;
  CHECK_THROWS_WITH(find_wrong_rules([&] { return sum(x * Real(++calls)); }),
                    Contains("the loss must be the same each time: mul (operation 1"));
  CHECK_THROWS_WITH(find_wrong_rules([&] { return ++calls % 2 ? sum(x * x) : sum(x); }),
                    Contains("computed in the same way"));
  calls = 0;
  CHECK_THROWS_WITH(find_wrong_rules([&] { return ++calls == 1 ? sum(x) : sum(sum(x) * Real(1)); }),
                    Contains("operation 2 was none, is mul"));
  const Var number = Var::parameter(Tensor::scalar(2));
  calls = 0;
  CHECK_THROWS_WITH(find_wrong_rules([&] { return ++calls == 1 ? number : number * 2; }),
                    Contains("operation 1 was none, is mul"));
  calls = 0;  // the same numbers, by another operation
  CHECK_THROWS_WITH(find_wrong_rules([&] { return sum(++calls == 1 ? x * Real(1) : x / Real(1)); }),
                    Contains("operation 1 was mul") && Contains("is div"));
  CHECK_THROWS_AS(find_wrong_rules([&] { return sum(x); }, {-1, 0, 1}), std::invalid_argument);
  CHECK(find_wrong_rules([&] { return sum(x.detached()); }).empty());
}

TEST_CASE("rule check: a rule that walks back leaves the gradients inside it as they were") {
  const Var x = Var::parameter(random_tensor({3}, 1)), w = Var::parameter(random_tensor({3}, 2));
  CHECK(find_wrong_rules([&] { return sum(recomputed([&](const Var& in) { return in * w; }, x)); }).empty());
  CHECK_FALSE(w.grad().defined());
}

TEST_CASE("rule check: nothing is wrong with scores under a mask") {
  const Var scores = Var::parameter(random_tensor({2, 3, 3}, 1));
  for (const AttentionMask& mask : {AttentionMask{Indices(), true, 0}, AttentionMask{Indices(), false, 1}})
    CHECK(find_wrong_rules([&] {
            return sum(masked_softmax(scores, mask) * Var(random_tensor({2, 3, 3}, 2)));
          }).empty());
}
