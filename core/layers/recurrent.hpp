// The steps of recurrent networks, forward and backward.
//
// A step has three inputs: `inputs`, the projections W·x + b of all T steps, [B, T, G·H]; `recurrent`, the
// projection of the state's hidden part, [B, G·H]; and the state itself. Sentences shorter than the step keep
// their state. The plain versions, of one step of whole sentences, are in core/reference/layers.hpp.
#pragma once

#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// Which of the T steps it is, and how many steps each sentence has, [B]; without lengths each has all.
struct RecurrentStep {
  Index number;     // which step of the sentence, counted from 0
  Indices lengths;  // of the sentences: beyond its end a state stays as it is

  /// Whether a sentence has this step.
  bool reaches(Index sentence) const { return lengths.size() == 0 || number < lengths[sentence]; }
  /// Throws std::invalid_argument that names the operation unless there are B lengths, or none.
  void check(const char* operation, Index batch) const;
};

/// A new state and the gates [B, G·H], which the backward pass needs again.
struct StepResult {
  Tensor state, gates;  // the next state, and what the backward pass needs again
};
/// Gradients of what a step was made from; that of `inputs` is added to the rows of this step in place.
struct StepGradients {
  Tensor recurrent, state;
};

/// h' = (1 - z) ⊙ n + z ⊙ h for a state h [B, H] and gates in the order r, z, n (Cho et al. 2014, in the form
/// of their paper's first version, arXiv 1406.1078v1, with the reset after the product):
///   r = σ(a_r + u_r),  z = σ(a_z + u_z),  n = tanh(a_n + r ⊙ u_n),  a = inputs, u = recurrent.
StepResult gru_step(const RecurrentStep& step, const Tensor& inputs, const Tensor& recurrent,
                    const Tensor& state);
/// With dn = dh' ⊙ (1 - z)(1 - n²), dz = dh' ⊙ (h - n) ⊙ z(1 - z), dr = dn ⊙ u_n ⊙ r(1 - r):
///   da = (dr, dz, dn),  du = (dr, dz, dn ⊙ r),  dh = dh' ⊙ z.
StepGradients gru_step_backward(const RecurrentStep& step, const Tensor& gates, const Tensor& recurrent,
                                const Tensor& state, const Tensor& d_next, Tensor& d_inputs);

/// h' = o ⊙ tanh(c') with c' = f ⊙ c + i ⊙ g for a state (h, c) side by side [B, 2·H] and gates in the order
/// i, f, g, o (Hochreiter and Schmidhuber 1997; Gers, Schmidhuber and Cummins 2000):
///   i = σ(s_i),  f = σ(s_f),  g = tanh(s_g),  o = σ(s_o),  s = inputs + recurrent.
StepResult lstm_step(const RecurrentStep& step, const Tensor& inputs, const Tensor& recurrent,
                     const Tensor& state);
/// With dc' += dh' ⊙ o ⊙ (1 - tanh²c'):
///   ds_i = dc' ⊙ g ⊙ i(1 - i),  ds_f = dc' ⊙ c ⊙ f(1 - f),  ds_g = dc' ⊙ i ⊙ (1 - g²),
///   ds_o = dh' ⊙ tanh c' ⊙ o(1 - o),  dc = dc' ⊙ f; h acts through `recurrent` alone.
StepGradients lstm_step_backward(const RecurrentStep& step, const Tensor& gates, const Tensor& state,
                                 const Tensor& next, const Tensor& d_next, Tensor& d_inputs);

/// y[b, t] = the first `width` numbers of states[t][b], and zeros at and beyond the sentence's length: [B, T,
/// width].
Tensor stack_states(const std::vector<Tensor>& states, Index width, const Indices& lengths);
/// d_state[b] += dy[b, t] for the sentences that reach step t: the gradient of one of the stacked states.
void add_stacked(const RecurrentStep& step, const Tensor& dy, Tensor& d_state);

}  // namespace gradual
