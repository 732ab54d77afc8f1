#include <gradual/autograd/operations.hpp>

#include <utility>

namespace gradual {

// The rule of a step: `backward` gets dy and where to add the gradient of the inputs.
template <class Backward>
JointRule step_rule(const Shape& inputs, Backward backward) {
  return [=](const Tensor& dy, const std::vector<Gradient>& dx) {
    Tensor unused = dx[0].wanted() ? Tensor() : Tensor(inputs);
    StepGradients gradients = backward(dy, dx[0].wanted() ? dx[0].sum() : unused);
    dx[1].add(std::move(gradients.recurrent));
    dx[2].add(std::move(gradients.state));
  };
}

Var gru_step(const RecurrentStep& step, const Var& inputs, const Var& recurrent, const Var& state) {
  StepResult result = gru_step(step, inputs.value(), recurrent.value(), state.value());
  const auto backward = [step, gates = result.gates, u = recurrent.value(), h = state.value()](
                            const Tensor& dy, Tensor& d_inputs) {
    return gru_step_backward(step, gates, u, h, dy, d_inputs);
  };
  return record("gru_step", std::move(result.state), {inputs, recurrent, state},
                step_rule(inputs.shape(), backward));
}

Var lstm_step(const RecurrentStep& step, const Var& inputs, const Var& recurrent, const Var& state) {
  StepResult result = lstm_step(step, inputs.value(), recurrent.value(), state.value());
  const auto backward = [step, y = result.state, gates = result.gates, before = state.value()](
                            const Tensor& dy, Tensor& d_inputs) {
    return lstm_step_backward(step, gates, before, y, dy, d_inputs);
  };
  return record("lstm_step", std::move(result.state), {inputs, recurrent, state},
                step_rule(inputs.shape(), backward));
}

Var stack_states(const std::vector<Var>& states, Index width, const Indices& lengths) {
  std::vector<Tensor> values;
  for (const Var& state : states) values.push_back(state.value());
  return record("stack_states", stack_states(values, width, lengths), states,
                [lengths](const Tensor& dy, const std::vector<Gradient>& dx) {
                  for (std::size_t t = 0; t < dx.size(); ++t) {
                    if (dx[t].wanted()) add_stacked({static_cast<Index>(t), lengths}, dy, dx[t].sum());
                  }
                });
}

}  // namespace gradual
