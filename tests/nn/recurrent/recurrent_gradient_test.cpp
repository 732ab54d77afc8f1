// Gradients of the recurrent steps, layers and translators.
#include <gradual/nn/recurrent/translator.hpp>

#include "support/modules.hpp"
#include "support/operations.hpp"

using namespace gradual;

TEST_CASE("gru_step and lstm_step: gradients match finite differences, for a sentence that has ended, too") {
  const RecurrentStep step{1, Indices({3}, {2, 1, 3})};
  check_operation([&](const auto& x) { return gru_step(step, x[0], x[1], x[2]); },
                  {random_tensor({3, 2, 12}, 1), random_tensor({3, 12}, 2), random_tensor({3, 4}, 3)});
  check_operation([&](const auto& x) { return lstm_step(step, x[0], x[1], x[2]); },
                  {random_tensor({3, 2, 16}, 1), random_tensor({3, 16}, 2), random_tensor({3, 8}, 3)});
}

TEST_CASE("stack_states: gradients match finite differences") {
  check_operation([](const auto& x) { return stack_states(x, 3, {}); },
                  {random_tensor({2, 3}, 1), random_tensor({2, 3}, 2)});
  check_operation(
      [](const auto& x) {
        return stack_states({x[0] * x[0], x[1]}, 3, Indices({2}, {2, 1}));
      },
      {random_tensor({2, 3}, 1), random_tensor({2, 3}, 2)});
}

TEST_CASE("recurrent layer: gradients match finite differences, over sentences of different lengths") {
  for (const CellKind kind : {CellKind::gru, CellKind::lstm}) {
    for (const Direction direction : {Direction::forward, Direction::both}) {
      INFO("lstm " << (kind == CellKind::lstm) << ", both directions " << (direction == Direction::both));
      RecurrentLayer layer(kind, 3, 2, direction, Random(5));
      const Var x = random_variable({2, 4, 3}, 1);
      check_module(layer, {{"x", x}}, [&] {
        const RecurrentLayer::Output out = layer(x, Indices({2}, {4, 2}));
        return concat({reshape(out.outputs, {2, -1}), out.last}, 1);
      });
    }
  }
}

TEST_CASE("recurrent translator: gradients match finite differences, for each cell and kind of attention") {
  const TranslationBatch batch{{Indices({2, 3}, {3, 4, 5, 6, 2, 0}), Indices({2}, {3, 2})},
                               Indices({2, 3}, {1, 4, 5, 1, 3, 0}),
                               Indices({2, 3}, {4, 5, 2, 3, 2, 0})};
  std::vector<std::string> kinds = score_names();
  kinds.push_back("none");
  for (const CellKind cell : {CellKind::gru, CellKind::lstm}) {
    for (const std::string& attention : kinds) {
      INFO(attention << ", lstm " << (cell == CellKind::lstm));
      RecurrentConfig config;
      config.source_vocabulary = config.target_vocabulary = 7;
      config.embedding_width = 3;
      config.hidden_width = 4;
      config.cell = cell;
      config.attention = attention;
      config.dropout = 0;
      config.max_length = 3;
      config.tied_output = cell == CellKind::gru;
      RecurrentTranslator model(config, Random(9));
      CrossEntropyOptions options;
      options.ignored = 0;
      NamedInputs inputs;
      for (const NamedParameter& parameter : parameters(model))
        inputs.emplace_back(parameter.name, parameter.variable);
      GradientCheckOptions some;
      some.samples = 12;
      const GradientCheck check = check_gradients([&] { return model.loss(batch, options); }, inputs, some);
      INFO(check);
      CHECK(check);
      CHECK(check.unused.empty());
    }
  }
}
