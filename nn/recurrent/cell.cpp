#include <gradual/nn/recurrent/cell.hpp>

#include <cmath>

#include <gradual/nn/layers/initialization.hpp>

namespace gradual {

RecurrentCell::RecurrentCell(CellKind kind, Index input_width, Index hidden_width, Random random)
    : kind_(kind) {
  const Index gates = (kind == CellKind::gru ? 3 : 4) * hidden_width;
  const double limit = 1 / std::sqrt(static_cast<double>(hidden_width));
  input_weight = Var::parameter(uniform_tensor({gates, input_width}, limit, random));
  hidden_weight = Var::parameter(uniform_tensor({gates, hidden_width}, limit, random));
  input_bias = Var::parameter(uniform_tensor({gates}, limit, random));
  hidden_bias = Var::parameter(uniform_tensor({gates}, limit, random));
}

void RecurrentCell::visit(Visitor& visitor) {
  visitor("input_weight", input_weight);
  visitor("hidden_weight", hidden_weight);
  visitor("input_bias", input_bias);
  visitor("hidden_bias", hidden_bias);
}

Var RecurrentCell::hidden(const Var& state) const {
  return kind_ == CellKind::gru ? state : slice(state, 1, 0, hidden_width());
}

Var RecurrentCell::operator()(const RecurrentStep& step, const Var& projected, const Var& state) const {
  const Var recurrent = linear(hidden(state), hidden_weight, hidden_bias);  // [B, G·H]
  return kind_ == CellKind::gru ? gru_step(step, projected, recurrent, state)
                                : lstm_step(step, projected, recurrent, state);
}

}  // namespace gradual
