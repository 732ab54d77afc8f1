#include <gradual/nn/recurrent/layer.hpp>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

void check(const Var& x, const Indices& lengths) {
  if (x.rank() != 3 || x.dim(1) == 0)
    throw std::invalid_argument(
        text("recurrent layer: x must be [B, T, in] with at least one word: x is ", x.shape()));
  if (lengths.size() > 0 && lengths.shape() != Shape{x.dim(0)})
    throw std::invalid_argument(text("recurrent layer: valid lengths must be [B]: B is ", x.dim(0),
                                     ", valid lengths are ", lengths.shape()));
  for (std::int32_t length : lengths) {
    if (length < 0 || length > x.dim(1))
      throw std::invalid_argument(text("recurrent layer: valid lengths must lie in 0 … number of words: got ",
                                       length, " of ", x.dim(1), " words"));
  }
}

}  // namespace

RecurrentLayer::RecurrentLayer(CellKind kind, Index input_width, Index hidden_width, Direction direction,
                               Random random) {
  const int count = direction == Direction::both ? 2 : 1;
  for (int i = 0; i < count; ++i) cells.emplace_back(kind, input_width, hidden_width, random);
}

RecurrentLayer::Output RecurrentLayer::operator()(const Var& x, const Indices& lengths) const {
  check(x, lengths);
  const Index T = x.dim(1);
  std::vector<Var> outputs, last;
  for (std::size_t direction = 0; direction < cells.size(); ++direction) {
    const RecurrentCell& cell = cells[direction];
    const Var projected = cell.project(x);
    Var state = cell.start(x.dim(0));
    std::vector<Var> states(static_cast<std::size_t>(T));
    for (Index i = 0; i < T; ++i) {
      // The backward walk passes padding with its first state, so that it starts at each sentence's last
      // word.
      const Index t = direction == 0 ? i : T - 1 - i;
      state = cell({t, lengths}, projected, state);
      states[static_cast<std::size_t>(t)] = state;
    }
    outputs.push_back(stack_states(states, cell.hidden_width(), lengths));
    last.push_back(state);
  }
  if (cells.size() == 1) return {outputs[0], last[0]};
  return {concat(outputs, 2), concat(last, 1)};
}

}  // namespace gradual
