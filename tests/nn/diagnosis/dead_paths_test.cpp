#include <gradual/nn/diagnosis/dead_paths.hpp>

#include <gradual/nn/graph/graph_attention.hpp>
#include <gradual/nn/layers/feed_forward.hpp>
#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/classifier.hpp>
#include <gradual/nn/transformer/language_model.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

using Cause = DeadPath::Cause;

// Two layers with a parameter beside them; what is between them is planted.
struct Net {
  Linear first{4, 4, Random(1)}, second{4, 3, Random(2)};
  Var scale = Var::parameter(Tensor::ones({4}));
  void visit(Visitor& visitor) {
    visitor("first", first);
    visitor("second", second);
    visitor("scale", scale);
  }
};

using Cut = std::function<Var(const Net&, const Var& x)>;  // [5, 4] to a loss

std::vector<DeadPath> dead_in(const Cut& cut) {
  Net net;
  const Var x = random_tensor({5, 4}, 3);
  return find_dead_paths(parameters(net), [&] { return cut(net, x); });
}

struct Planted {
  const char* what;
  Cause cause;
  const char* operation;
  std::vector<std::string> parameters;  // that are dead
  Cut cut;
};

const std::vector<std::string> first = {"first.weight", "first.bias"};
const std::vector<std::string> first_and_scale = {"first.weight", "first.bias", "scale"};

const std::vector<Planted>& planted() {
  static const std::vector<Planted> all = {
      {"a detached result", Cause::cut, "mul", first_and_scale,
       [](const Net& n, const Var& x) { return sum(exp(n.second((n.first(x) * n.scale).detached()))); }},
      {"a variable made anew of a value", Cause::cut, "tanh", first,
       [](const Net& n, const Var& x) {
         return sum(exp(n.second(Var(tanh(n.first(x)).value()) * n.scale)));
       }},
      {"a detached result, seen through another shape", Cause::cut, "reshape", first,
       [](const Net& n, const Var& x) {
         return sum(exp(n.second(reshape(reshape(n.first(x), {4, 5}).detached(), {5, 4}) * n.scale)));
       }},
      {"a parameter as a constant",
       Cause::cut,
       "mul",
       {"scale"},
       [](const Net& n, const Var& x) { return sum(exp(n.second(n.first(x) * n.scale.detached()))); }},
      {"operations that are not recorded", Cause::cut, "linear", first,
       [](const Net& n, const Var& x) {
         Var hidden;
         {
           const NoGrad no_grad;
           hidden = tanh(n.first(x));
         }
         return sum(exp(n.second(hidden * n.scale)));
       }},
      {"one that is not recorded, of a result", Cause::cut, "gelu", first,
       [](const Net& n, const Var& x) {
         const Var hidden = n.first(x);
         const auto activate = [&] {
           const NoGrad no_grad;
           return gelu(hidden);
         };
         return sum(exp(n.second(activate() * n.scale)));
       }},
      {"a result that nobody uses",
       Cause::cut,
       "sigmoid",
       {"scale"},
       [](const Net& n, const Var& x) {
         sigmoid(x * n.scale);
         return sum(exp(n.second(n.first(x))));
       }},
      {"numbers that were computed of tensors", Cause::cut, "linear", first,
       [](const Net& n, const Var& x) { return sum(exp(n.second(Var(exp(n.first(x).value())) * n.scale))); }},
      {"a comparison", Cause::cut, "linear", first,
       [](const Net& n, const Var& x) { return sum(exp(n.second(Var(n.first(x) > 0) * n.scale))); }},
      {"a parameter that nobody reads",
       Cause::unused,
       "",
       {"scale"},
       [](const Net& n, const Var& x) { return sum(exp(n.second(n.first(x)))); }},
      {"a relu that never lets anything through", Cause::zero, "relu", first,
       [](const Net& n, const Var& x) { return sum(exp(n.second((relu(n.first(x) - 100) + 1) * n.scale))); }},
      {"a product with 0", Cause::zero, "mul", first_and_scale,
       [](const Net& n, const Var& x) { return sum(exp(n.second(n.first(x) * n.scale * 0 + 1))); }},
      {"a clip that always cuts off", Cause::zero, "clip", first,
       [](const Net& n, const Var& x) {
         return sum(exp(n.second(clip(n.first(x) - 100, -1, 1) * n.scale)));
       }},
      {"a condition that never holds", Cause::zero, "where", first,
       [](const Net& n, const Var& x) {
         return sum(exp(n.second(where(Tensor::zeros({5, 4}), n.first(x), 1) * n.scale)));
       }},
      {"a maximum that the other always has", Cause::zero, "maximum", first,
       [](const Net& n, const Var& x) {
         return sum(exp(n.second(maximum(n.first(x), 100) / 100 * n.scale)));
       }},
  };
  return all;
}

}  // namespace

TEST_CASE("dead paths: 15 planted cuts are found at the right operation, and nothing else") {
  CHECK(planted().size() == 15);
  for (const Planted& each : planted()) {
    INFO(each.what);
    std::vector<std::string> found;
    for (const DeadPath& dead : dead_in(each.cut)) {
      INFO(dead.text);
      found.push_back(dead.parameter);
      CHECK((dead.cause == each.cause));
      CHECK(dead.operation == each.operation);
    }
    CHECK(found == each.parameters);
  }
}

TEST_CASE("dead paths: the sentence says where the path ends, and what took the numbers") {
  const auto text_of = [](std::size_t number) { return dead_in(planted()[number].cut).front().text; };
  CHECK(text_of(0) ==
        "first.weight [4, 4]: its path ends at mul (operation 2, [5, 4], in scale): linear (operation 3, "
        "[5, 3], in second) takes its result as a constant (detached() or value())");
  CHECK(
      text_of(3) ==
      "scale [4]: mul (operation 2, [5, 4], in first) takes its value as a constant (detached() or value())");
  CHECK(text_of(4) == "first.weight [4, 4]: linear (operation 1, [5, 4], in first) records nothing (NoGrad)");
  CHECK(text_of(6) ==
        "scale [4]: its path ends at sigmoid (operation 2, [5, 4], in scale): the loss is not made of that "
        "result, or of "
        "a copy of its numbers");
  CHECK(text_of(9) == "scale [4]: no operation uses it");
  CHECK(text_of(10) ==
        "first.weight [4, 4]: its gradient is 0: relu (operation 3, [5, 4], in first) passes nothing on");
}

TEST_CASE(
    "dead paths: of two that take a parameter as a constant, the one that the loss is made of is named") {
  const auto dead = dead_in([](const Net& n, const Var& x) {
    const Var loss = sum(exp(n.second(n.first(x) * n.scale.detached())));
    tanh(n.scale.detached());  // which nobody uses
    return loss;
  });
  REQUIRE(dead.size() == 1);
  CHECK(
      dead[0].text ==
      "scale [4]: mul (operation 2, [5, 4], in first) takes its value as a constant (detached() or value())");
}

TEST_CASE("dead paths: where all is alive, and the loss is a constant, one parameter or nothing") {
  CHECK(dead_in([](const Net& n, const Var& x) { return sum(exp(n.second(n.first(x) * n.scale))); }).empty());
  CHECK(dead_in([](const Net& n, const Var& x) {
          return sum(n.second(n.first(x) * n.scale)).detached();
        }).size() == 5);
  CHECK(dead_in([](const Net&, const Var& x) { return sum(x); }).size() == 5);
  const Var alone = Var::parameter(Tensor::scalar(2));
  CHECK(find_dead_paths({{"alone", alone}}, [&] { return alone; }).empty());
  CHECK_THROWS_WITH(find_dead_paths({}, [] { return Var(Tensor::zeros({2})); }),
                    "dead paths: the loss must be one number: it is [2]");
  CHECK_THROWS_WITH(find_dead_paths({}, [] { return Var(); }),
                    "dead paths: the loss must be one number: it is not defined");
}

TEST_CASE("dead paths: gradients are as they were, also when the loss throws") {
  Net net;
  const std::vector<NamedParameter> all = parameters(net);
  backward(sum(net.scale * 3));
  CHECK(find_dead_paths(all, [&] { return sum(net.scale * net.scale); }).size() == 4);
  CHECK(net.scale.grad().to_vector() == std::vector<Real>{3, 3, 3, 3});
  CHECK_FALSE(net.first.weight.grad().defined());
  std::vector<NamedParameter> twice = all;
  twice.insert(twice.end(), all.begin(), all.end());
  find_dead_paths(twice, [&] { return sum(net.scale * net.scale); });
  CHECK(net.scale.grad().to_vector() == std::vector<Real>{3, 3, 3, 3});
  CHECK_THROWS_AS(find_dead_paths(all, []() -> Var { throw std::runtime_error("no"); }), std::runtime_error);
  CHECK(net.scale.grad().to_vector() == std::vector<Real>{3, 3, 3, 3});
}

namespace {

TranslationBatch small_batch() {
  return {{Indices({2, 4}, {3, 4, 5, 2, 6, 2, 0, 0}), Indices({2}, {4, 2})},
          Indices({2, 3}, {1, 5, 6, 1, 7, 8}),
          Indices({2, 3}, {5, 6, 2, 7, 8, 2})};
}

template <class Model>
std::string dead_text(Model& model, const std::function<Var()>& loss) {
  std::string result;
  for (const DeadPath& dead : find_dead_paths(parameters(model), loss)) result += dead.text + "\n";
  return result;
}

}  // namespace

TEST_CASE("dead paths: there are none in transformers, recurrent models, language models and classifiers") {
  for (const char* positions : {"sinusoidal", "learned", "relative", "rotary"}) {
    TransformerConfig config;
    config.source_vocabulary = config.target_vocabulary = 9;
    config.width = 8;
    config.heads = 2;
    config.feed_forward = 12;
    config.positions = positions;
    Transformer model(config, Random(1));
    CHECK(dead_text(model, [&] { return model.loss(small_batch(), {}); }) == "");
  }
  for (const char* attention : {"additive", "general", "none"}) {
    RecurrentConfig config;
    config.source_vocabulary = config.target_vocabulary = 9;
    config.embedding_width = config.hidden_width = 8;
    config.attention = attention;
    RecurrentTranslator model(config, Random(1));
    CHECK(dead_text(model, [&] { return model.loss(small_batch(), {}); }) == "");
  }
  StackConfig stack;
  stack.vocabulary = 9;
  stack.width = 8;
  stack.heads = 2;
  stack.feed_forward = 12;
  LanguageModel language_model(stack, Random(1));
  const TranslationBatch batch = small_batch();
  CHECK(dead_text(language_model, [&] { return language_model.loss(batch.input, batch.output); }) == "");
  for (const Pooling pooling : {Pooling::mean, Pooling::attention}) {
    Classifier classifier(stack, 3, pooling, Random(1));
    const auto loss = [&] {
      return classifier.loss(batch.source.ids, batch.source.lengths, Indices({2}, {0, 2}));
    };
    CHECK(dead_text(classifier, loss) == "");
  }
}

TEST_CASE("dead paths: an encoder that was detached is named, with all its parameters") {
  struct Detached : Transformer {
    using Transformer::Transformer;
    Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override {
      const Var decoded = decode(batch.input, encode(batch.source).detached(), {});
      return linear_cross_entropy(decoded, target_embedding.weight, batch.output, options);
    }
  };
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = 9;
  config.width = 8;
  config.heads = 2;
  config.encoder_layers = 1;
  Detached model(config, Random(1));
  const auto dead = find_dead_paths(parameters(model), [&] { return model.loss(small_batch(), {}); });
  CHECK(dead.size() > 10);
  for (const DeadPath& each : dead) {
    CHECK((each.cause == Cause::cut));
    CHECK(each.operation == "layer_norm");
    CHECK_THAT(each.text, Contains("in encoder_norm): linear (operation"));
    CHECK(each.parameter.find("decoder") == std::string::npos);
  }
}
