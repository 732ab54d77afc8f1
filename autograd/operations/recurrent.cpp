#include <gradual/autograd/operations.hpp>

#include <utility>

namespace gradual {

Var gru_step(const RecurrentStep& step, const Var& inputs, const Var& recurrent, const Var& state) {
  StepResult result = gru_step(step, inputs.value(), recurrent.value(), state.value());
  return record("gru_step", std::move(result.state), std::vector<Var>{inputs, recurrent, state},
                [step, gates = result.gates, u = recurrent.value(), h = state.value(),
                 shape = inputs.shape()](const Tensor& dy, const std::vector<Gradient>& dx) {
                  Tensor unused = dx[0].wanted() ? Tensor() : Tensor(shape);
                  Tensor& d_inputs = dx[0].wanted() ? dx[0].sum() : unused;
                  StepGradients gradients = gru_step_backward(step, gates, u, h, dy, d_inputs);
                  dx[1].add(std::move(gradients.recurrent));
                  dx[2].add(std::move(gradients.state));
                });
}

Var lstm_step(const RecurrentStep& step, const Var& inputs, const Var& recurrent, const Var& state) {
  StepResult result = lstm_step(step, inputs.value(), recurrent.value(), state.value());
  const Tensor y = result.state;
  return record("lstm_step", y, std::vector<Var>{inputs, recurrent, state},
                [step, y, gates = result.gates, before = state.value(), shape = inputs.shape()](
                    const Tensor& dy, const std::vector<Gradient>& dx) {
                  Tensor unused = dx[0].wanted() ? Tensor() : Tensor(shape);
                  Tensor& d_inputs = dx[0].wanted() ? dx[0].sum() : unused;
                  StepGradients gradients = lstm_step_backward(step, gates, before, y, dy, d_inputs);
                  dx[1].add(std::move(gradients.recurrent));
                  dx[2].add(std::move(gradients.state));
                });
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
