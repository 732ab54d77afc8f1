// core/layers/recurrent.hpp.
#include <cmath>

#include <gradual/core/layers/recurrent.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

using Tensors = std::vector<Tensor>;
const Tensor gru_inputs = numbers({2, 2, 3}), gru_state = numbers({2, 1}), lstm_inputs = numbers({2, 2, 4}),
             lstm_gates = numbers({2, 4}), lstm_state = numbers({2, 2});
double sigma(double x) { return 1 / (1 + std::exp(-x)); }

// The next state of a GRU of one number.
Tensor plain_gru(Index number, Indices lengths, Tensor inputs, Tensor recurrent, Tensor state) {
  const Index width = state.dim(1), T = inputs.dim(1);
  Tensor next(state.shape());
  for (Index i = 0; i < state.size(); ++i) {
    const Index b = i / width, j = i % width;
    const auto a = [&](Index gate) {
      return double(inputs.data()[((b * T + number) * 3 + gate) * width + j]);
    };
    const auto u = [&](Index gate) { return double(recurrent.data()[(b * 3 + gate) * width + j]); };
    const double h = double(state.data()[i]), r = sigma(a(0) + u(0)), z = sigma(a(1) + u(1));
    const double n = std::tanh(a(2) + r * u(2));
    const bool over = lengths.size() > 0 && number >= lengths[b];
    next.unguarded_data()[i] = static_cast<Real>(over ? h : n + z * (h - n));
  }
  return next;
}

const Header recurrent_steps =
    Header("core/layers/recurrent.hpp")
        .drives(
            "RecurrentStep::reaches|indices",
            [](Index number, Indices lengths, Index sentence) {
              return RecurrentStep{number, lengths}.reaches(sentence);
            },
            std::tuple(Index(1), Indices({2}, {1, 2}), Index(1)),
            [](Index number, Indices lengths, Index sentence) {
              return lengths.size() == 0 || number < lengths[sentence];
            })
        .drives(
            "RecurrentStep::check|this|shape",
            [](Indices lengths, Index batch) {
              RecurrentStep{0, lengths}.check("this", batch);
            },
            std::tuple(Indices({2}, {1, 2}), Index(2)))
        .drives(
            "gru_step",
            [](Index number, Indices lengths, Tensor inputs, Tensor recurrent, Tensor state) {
              return gru_step({number, lengths}, inputs, recurrent, state).state;
            },
            std::tuple(Index(1), Indices({2}, {1, 2}), gru_inputs, six, gru_state), plain_gru)
        .drives(
            "gru_step_backward|gru_step",
            [](Index number, Indices lengths, Tensor gates, Tensor u, Tensor state, Tensor d, Tensor da) {
              const StepGradients g = gru_step_backward({number, lengths}, gates, u, state, d, da);
              return Tensors{g.state, da};
            },
            std::tuple(Index(1), Indices(), six, six, gru_state, gru_state, gru_inputs))
        .drives(
            "lstm_step",
            [](Index number, Indices lengths, Tensor inputs, Tensor recurrent, Tensor state) {
              return lstm_step({number, lengths}, inputs, recurrent, state).state;
            },
            std::tuple(Index(1), Indices({2}, {1, 2}), lstm_inputs, lstm_gates, lstm_state))
        .drives(
            "lstm_step_backward|lstm_step",
            [](Index number, Indices lengths, Tensor gates, Tensor state, Tensor next, Tensor d, Tensor da) {
              const StepGradients g = lstm_step_backward({number, lengths}, gates, state, next, d, da);
              return Tensors{g.recurrent, g.state, da};
            },
            std::tuple(Index(1), Indices(), lstm_gates, lstm_state, lstm_state, lstm_state, lstm_inputs))
        .drives(
            "stack_states",
            [](Tensors states, Index width, Indices lengths) { return stack_states(states, width, lengths); },
            std::tuple(Tensors{six, six}, Index(2), Indices({2}, {1, 2})),
            [](Tensors states, Index width, Indices lengths) {
              const Index B = states[0].dim(0), T = static_cast<Index>(states.size());
              Tensor y({B, T, width});
              for (Index i = 0; i < y.size(); ++i) {
                const Index b = i / width / T, t = i / width % T;
                const Tensor& state = states[static_cast<std::size_t>(t)];
                const bool over = lengths.size() > 0 && t >= lengths[b];
                y.unguarded_data()[i] = over ? Real(0) : state.data()[b * state.dim(1) + i % width];
              }
              return y;
            })
        .drives(
            "add_stacked",
            [](Index number, Indices lengths, Tensor dy, Tensor d_state) {
              add_stacked({number, lengths}, dy, d_state);
              return d_state;
            },
            std::tuple(Index(1), Indices(), numbers({2, 2, 3}), six));

}  // namespace
