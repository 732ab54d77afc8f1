// Gradients of the attention layers, with respect to queries, keys, values and weights.
#include <gradual/nn/attention/attention.hpp>

#include <gradual/nn/attention/global.hpp>
#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/attention/multi_head_naive.hpp>

#include "support/modules.hpp"

using namespace gradual;

namespace {

// Lengths under which each key counts for some query.
const AttentionMask padding{Indices({2}, {4, 3})};

}  // namespace

TEST_CASE("attention: gradients match finite differences, for each score") {
  for (const std::string& name : score_names()) {
    INFO(name);
    Attention attention(make_score(name, {3, 3, 4, 6}, Random(7)), 0, Random(8));
    const Var queries = random_variable({2, 3, 3}, 1), keys = random_variable({2, 4, 3}, 2),
              values = random_variable({2, 4, 2}, 3);
    NamedInputs inputs{{"queries", queries}, {"values", values}};
    if (name != "location") inputs.push_back({"keys", keys});
    check_module(attention, inputs, [&] { return attention(queries, keys, values, padding); });
  }
}

TEST_CASE("masked_softmax: gradients match finite differences under padding, order and window together") {
  const Var scores = random_variable({2, 4, 4}, 1);
  const auto loss = [&] {
    return weighted_sum(masked_softmax(scores, AttentionMask{Indices({2}, {4, 2}), true, 1}));
  };
  const GradientCheck check = check_gradients(loss, {{"scores", scores}});
  INFO(check);
  CHECK(check);
}

TEST_CASE("global attention: gradients match finite differences, with the items and with contexts as keys") {
  const Var items = random_variable({2, 4, 3}, 1), contexts = random_variable({2, 4, 5}, 2);
  GlobalAttention of_items(make_score("additive", {2, 3}, Random(7)), 2, Random(8));
  check_module(of_items, {{"items", items}}, [&] { return of_items(items, Indices({2}, {4, 3})); });
  GlobalAttention by_context(make_score("additive", {2, 5}, Random(7)), 2, Random(8));
  check_module(by_context, {{"items", items}, {"contexts", contexts}},
               [&] { return by_context(contexts, items); });
}

TEST_CASE("neighbourhood_means: gradients match finite differences") {
  const Var items = random_variable({2, 5, 3}, 1);
  const GradientCheck check = check_gradients(
      [&] {
        return weighted_sum(neighbourhood_means(items, 1, Indices({2}, {5, 3})));
      },
      {{"items", items}});
  INFO(check);
  CHECK(check);
}

TEST_CASE("naive multi-head attention: gradients match finite differences, with heads of their own sizes") {
  MultiHeadNaive attention({4, 2, 3, 2}, "additive", 0, Random(7));
  const Var x = random_variable({2, 3, 4}, 1), memory = random_variable({2, 4, 4}, 2);
  check_module(attention, {{"x", x}, {"memory", memory}}, [&] { return attention(x, memory, padding); });
}

TEST_CASE("multi-head attention: gradients match finite differences, for each score of its heads") {
  AttentionMask causal;
  causal.causal = true;
  for (const std::string& name : score_names()) {
    INFO(name);
    const SelfAttentionOptions relative{"relative", 0};
    MultiHeadAttention attention(4, 2, 0, Random(7), "attention", relative, {name, 4});
    attention.bias.set_value(random_tensor({12}, 5));
    const Var x = random_variable({2, 4, 4}, 1), memory = random_variable({2, 4, 4}, 2);
    NamedInputs inputs{{"x", x}};
    if (name != "location") inputs.push_back({"memory", memory});
    check_module(attention, inputs,
                 [&] { return attention(x, causal) + attention(x) + attention(x, memory, padding); });
  }
}
