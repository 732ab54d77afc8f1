// What the steps of recurrent networks refuse; their values are compared with plain ones in
// reference_test.cpp.
#include <gradual/core/layers/recurrent.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

TEST_CASE("gru_step, lstm_step: inputs that do not fit are refused, forward and backward") {
  const auto zeros = [](const Shape& shape) { return Tensor::zeros(shape); };
  const RecurrentStep first{0, {}};
  CHECK_THROWS_WITH(
      lstm_step(first, zeros({2, 3, 8}), zeros({2, 8}), zeros({2, 5})),  // 5 is not twice a width
      "lstm_step: inputs must be [B, T, 4·H], recurrent [B, 4·H] and the state [B, 2·H]: inputs are [2, 3, "
      "8] "
      "at step 0, recurrent is [2, 8], state is [2, 5]");
  CHECK_THROWS_WITH(
      gru_step({3, {}}, zeros({2, 3, 6}), zeros({2, 6}), zeros({2, 2})),
      "gru_step: inputs must be [B, T, 3·H], recurrent [B, 3·H] and the state [B, 1·H]: inputs are [2, 3, 6] "
      "at step 3, recurrent is [2, 6], state is [2, 2]");
  CHECK_THROWS_WITH(gru_step({0, Indices({3}, {1, 1, 1})}, zeros({2, 3, 6}), zeros({2, 6}), zeros({2, 2})),
                    "gru_step: valid lengths must be [B]: B is 2, valid lengths are [3]");
  for (const Shape& state : {Shape{}, Shape{2}, Shape{1, 2, 2}, Shape{2, 0}, Shape{3, 2}, Shape{2, 3}})
    CHECK_THROWS_AS(gru_step(first, zeros({2, 3, 6}), zeros({2, 6}), zeros(state)), std::invalid_argument);
  for (const Shape& inputs : {Shape{}, Shape{2, 6}, Shape{2, 0, 6}, Shape{2, 3, 7}, Shape{3, 3, 6}})
    CHECK_THROWS_AS(gru_step(first, zeros(inputs), zeros({2, 6}), zeros({2, 2})), std::invalid_argument);
  for (const Shape& recurrent : {Shape{}, Shape{6}, Shape{2, 7}, Shape{1, 6}, Shape{2, 1, 6}})
    CHECK_THROWS_AS(gru_step(first, zeros({2, 3, 6}), zeros(recurrent), zeros({2, 2})),
                    std::invalid_argument);
  CHECK_THROWS_AS(gru_step(first, Tensor(), Tensor(), Tensor()), std::invalid_argument);
  CHECK_THROWS_AS(gru_step({-1, {}}, zeros({2, 3, 6}), zeros({2, 6}), zeros({2, 2})), std::invalid_argument);

  Tensor d_inputs = zeros({2, 3, 6}), d_short = zeros({2, 3, 5});
  const Tensor gates = zeros({2, 6}), state = zeros({2, 2});
  CHECK_THROWS_AS(gru_step_backward(first, gates, gates, state, state, d_short), std::invalid_argument);
  CHECK_THROWS_WITH(gru_step_backward(first, gates, gates, state, zeros({1, 2}), d_inputs),
                    "gru_step: the gradient of the next state must be [2, 2]: it is [1, 2]");
  CHECK_THROWS_WITH(gru_step_backward(first, gates, state, state, state, d_inputs),
                    "gru_step: recurrent must be [2, 6]: it is [2, 2]");
  Tensor d_lstm = zeros({2, 3, 8});
  CHECK_THROWS_WITH(lstm_step_backward(first, zeros({2, 8}), zeros({2, 4}), state, zeros({2, 4}), d_lstm),
                    "lstm_step: the next state must be [2, 4]: it is [2, 2]");
}

TEST_CASE("stack_states: states of other shapes, widths or lengths are refused, and so are their gradients") {
  const Tensor state = Tensor::ones({2, 4});
  CHECK_THROWS_WITH(stack_states({}, 2, {}), "stack_states: there must be at least one state");
  CHECK_THROWS_WITH(stack_states({state, Tensor::ones({1, 4})}, 2, {}),
                    "stack_states: each state must be [2, 4]: it is [1, 4]");
  CHECK_THROWS_WITH(stack_states({state, Tensor()}, 2, {}), "stack_states: each state must be defined");
  CHECK_THROWS_WITH(stack_states({state}, 5, {}),
                    "stack_states: states must be [B, width or more]: they are [2, 4], the width is 5");
  CHECK_THROWS_AS(stack_states({state}, -1, {}), std::invalid_argument);
  CHECK_THROWS_AS(stack_states({Tensor()}, 0, {}), std::invalid_argument);
  CHECK_THROWS_WITH(stack_states({state}, 2, Indices({1}, {1})),
                    "stack_states: valid lengths must be [B]: B is 2, valid lengths are [1]");
  CHECK(stack_states({state, state}, 0, {}).shape() == Shape{2, 2, 0});

  Tensor d_state = Tensor::zeros({2, 4}), narrow = Tensor::zeros({2, 1}), one = Tensor::zeros({1, 4});
  const Tensor dy = Tensor::ones({2, 3, 2});
  CHECK_THROWS_WITH(
      add_stacked({3, {}}, dy, d_state),
      "add_stacked: dy must be [B, T, width] and the gradient [B, width or more]: dy is [2, 3, 2] "
      "at step 3, the gradient is [2, 4]");
  CHECK_THROWS_AS(add_stacked({0, {}}, dy, narrow), std::invalid_argument);
  CHECK_THROWS_AS(add_stacked({0, {}}, dy, one), std::invalid_argument);
  CHECK_THROWS_AS(add_stacked({0, {}}, d_state, d_state), std::invalid_argument);
  CHECK_THROWS_AS(add_stacked({0, Indices({3}, {1, 1, 1})}, dy, d_state), std::invalid_argument);
}
