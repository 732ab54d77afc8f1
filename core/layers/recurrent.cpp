#include <gradual/core/layers/recurrent.hpp>

#include <algorithm>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/vector_math.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {

void RecurrentStep::check(const char* operation, Index batch) const {
  if (lengths.size() > 0 && lengths.shape() != Shape{batch})
    throw std::invalid_argument(text(operation, ": valid lengths must be [B]: B is ", batch,
                                     ", valid lengths are ", lengths.shape()));
}

namespace {

// What the equations of a cell fix: how many gates it has, and how many parts its state.
struct Cell {
  const char* operation;
  Index gates, state_parts;
};
constexpr Cell gru{"gru_step", 3, 1}, lstm{"lstm_step", 4, 2};

void check(const Cell& cell, const RecurrentStep& step, const Tensor& inputs, const Tensor& recurrent,
           const Tensor& state) {
  const Index batch = state.rank() == 2 ? state.dim(0) : 0;
  const Index width = state.rank() == 2 ? state.dim(1) / cell.state_parts : 0;
  const auto has_gates = [&](const Tensor& x, Index rank) {
    return x.rank() == rank && x.dim(0) == batch && x.dim(-1) % cell.gates == 0 &&
           x.dim(-1) / cell.gates == width;
  };
  if (width == 0 || state.dim(1) != cell.state_parts * width || !has_gates(inputs, 3) ||
      !has_gates(recurrent, 2) || step.number < 0 || step.number >= inputs.dim(1))
    throw std::invalid_argument(
        text(cell.operation, ": inputs must be [B, T, ", cell.gates, "·H], recurrent [B, ", cell.gates,
             "·H] and the state [B, ", cell.state_parts, "·H]: inputs are ", inputs.shape(), " at step ",
             step.number, ", recurrent is ", recurrent.shape(), ", state is ", state.shape()));
  step.check(cell.operation, batch);
}

void check_backward(const Cell& cell, const RecurrentStep& step, const Tensor& gates, const Tensor& state,
                    const Tensor& d_next, const Tensor& d_inputs) {
  check(cell, step, d_inputs, gates, state);
  check_shape(cell.operation, "the gradient of the next state", d_next, state.shape());
}

// Calls body(sentence) for each of them, with the work shared out.
template <class Body>
void for_each_sentence(Index batch, Index numbers, Body body) {
  constexpr Index work_of_number = 4;  // exponentials take longer than the loops that work is counted in
  parallel_rows(batch, numbers * work_of_number, [&](Index first, Index last) {
    for (Index b = first; b < last; ++b) body(b);
  });
}

}  // namespace

StepResult gru_step(const RecurrentStep& step, const Tensor& inputs, const Tensor& recurrent,
                    const Tensor& state) {
  check(gru, step, inputs, recurrent, state);
  const Index T = inputs.dim(1), H = state.dim(1);
  StepResult result{Tensor(state.shape()), Tensor(recurrent.shape())};
  Real *next = result.state.unguarded_data(), *gates = result.gates.unguarded_data();
  for_each_sentence(state.dim(0), 3 * H, [&](Index b) {
    const Real *a = inputs.data() + (b * T + step.number) * 3 * H, *u = recurrent.data() + b * 3 * H;
    const Real* h = state.data() + b * H;
    Real *r = gates + b * 3 * H, *z = r + H, *n = z + H, *to = next + b * H;
    if (!step.reaches(b)) {
      std::copy_n(h, H, to);
      return;
    }
#pragma omp simd
    for (Index i = 0; i < H; ++i) {
      r[i] = logistic(a[i] + u[i]);
      z[i] = logistic(a[H + i] + u[H + i]);
      n[i] = vector_tanh(a[2 * H + i] + r[i] * u[2 * H + i]);
      to[i] = n[i] + z[i] * (h[i] - n[i]);
    }
  });
  return result;
}

StepGradients gru_step_backward(const RecurrentStep& step, const Tensor& gates, const Tensor& recurrent,
                                const Tensor& state, const Tensor& d_next, Tensor& d_inputs) {
  check_backward(gru, step, gates, state, d_next, d_inputs);
  check_shape("gru_step", "recurrent", recurrent, gates.shape());
  const Index T = d_inputs.dim(1), H = state.dim(1);
  StepGradients gradients{Tensor(recurrent.shape()), Tensor(state.shape())};
  Real *d_recurrent = gradients.recurrent.unguarded_data(), *d_state = gradients.state.unguarded_data();
  Real* d_projected = d_inputs.unguarded_data();
  for_each_sentence(state.dim(0), 3 * H, [&](Index b) {
    const Real *r = gates.data() + b * 3 * H, *z = r + H, *n = z + H;
    const Real *u_n = recurrent.data() + b * 3 * H + 2 * H, *h = state.data() + b * H;
    const Real* d = d_next.data() + b * H;
    Real *da = d_projected + (b * T + step.number) * 3 * H, *du = d_recurrent + b * 3 * H;
    Real* dh = d_state + b * H;
    if (!step.reaches(b)) {
      std::fill_n(du, 3 * H, Real(0));
      std::copy_n(d, H, dh);
      return;
    }
#pragma omp simd
    for (Index i = 0; i < H; ++i) {
      const Real dn = d[i] * (1 - z[i]) * (1 - n[i] * n[i]);
      const Real dz = d[i] * (h[i] - n[i]) * z[i] * (1 - z[i]);
      const Real dr = dn * u_n[i] * r[i] * (1 - r[i]);
      da[i] += dr;
      da[H + i] += dz;
      da[2 * H + i] += dn;
      du[i] = dr;
      du[H + i] = dz;
      du[2 * H + i] = dn * r[i];
      dh[i] = d[i] * z[i];
    }
  });
  return gradients;
}

StepResult lstm_step(const RecurrentStep& step, const Tensor& inputs, const Tensor& recurrent,
                     const Tensor& state) {
  check(lstm, step, inputs, recurrent, state);
  const Index T = inputs.dim(1), H = state.dim(1) / 2;
  StepResult result{Tensor(state.shape()), Tensor(recurrent.shape())};
  Real *next = result.state.unguarded_data(), *gates = result.gates.unguarded_data();
  for_each_sentence(state.dim(0), 4 * H, [&](Index b) {
    const Real *a = inputs.data() + (b * T + step.number) * 4 * H, *u = recurrent.data() + b * 4 * H;
    const Real *h = state.data() + b * 2 * H, *c = h + H;
    Real *i = gates + b * 4 * H, *f = i + H, *g = f + H, *o = g + H;
    Real *to_h = next + b * 2 * H, *to_c = to_h + H;
    if (!step.reaches(b)) {
      std::copy_n(h, 2 * H, to_h);
      return;
    }
#pragma omp simd
    for (Index j = 0; j < H; ++j) {
      i[j] = logistic(a[j] + u[j]);
      f[j] = logistic(a[H + j] + u[H + j]);
      g[j] = vector_tanh(a[2 * H + j] + u[2 * H + j]);
      o[j] = logistic(a[3 * H + j] + u[3 * H + j]);
      to_c[j] = f[j] * c[j] + i[j] * g[j];
      to_h[j] = o[j] * vector_tanh(to_c[j]);
    }
  });
  return result;
}

StepGradients lstm_step_backward(const RecurrentStep& step, const Tensor& gates, const Tensor& state,
                                 const Tensor& next, const Tensor& d_next, Tensor& d_inputs) {
  check_backward(lstm, step, gates, state, d_next, d_inputs);
  check_shape("lstm_step", "the next state", next, state.shape());
  const Index T = d_inputs.dim(1), H = state.dim(1) / 2;
  StepGradients gradients{Tensor(gates.shape()), Tensor(state.shape())};
  Real *d_recurrent = gradients.recurrent.unguarded_data(), *d_state = gradients.state.unguarded_data();
  Real* d_projected = d_inputs.unguarded_data();
  for_each_sentence(state.dim(0), 4 * H, [&](Index b) {
    const Real *i = gates.data() + b * 4 * H, *f = i + H, *g = f + H, *o = g + H;
    const Real *c = state.data() + b * 2 * H + H, *next_c = next.data() + b * 2 * H + H;
    const Real *dh_next = d_next.data() + b * 2 * H, *dc_next = dh_next + H;
    Real *da = d_projected + (b * T + step.number) * 4 * H, *du = d_recurrent + b * 4 * H;
    Real *dh = d_state + b * 2 * H, *dc = dh + H;
    if (!step.reaches(b)) {
      std::fill_n(du, 4 * H, Real(0));
      std::copy_n(dh_next, 2 * H, dh);
      return;
    }
#pragma omp simd
    for (Index j = 0; j < H; ++j) {
      const Real tanh_c = vector_tanh(next_c[j]);
      const Real d_cell = dc_next[j] + dh_next[j] * o[j] * (1 - tanh_c * tanh_c);
      du[j] = d_cell * g[j] * i[j] * (1 - i[j]);
      du[H + j] = d_cell * c[j] * f[j] * (1 - f[j]);
      du[2 * H + j] = d_cell * i[j] * (1 - g[j] * g[j]);
      du[3 * H + j] = dh_next[j] * tanh_c * o[j] * (1 - o[j]);
      dh[j] = 0;
      dc[j] = d_cell * f[j];
    }
#pragma omp simd
    for (Index j = 0; j < 4 * H; ++j) da[j] += du[j];
  });
  return gradients;
}

Tensor stack_states(const std::vector<Tensor>& states, Index width, const Indices& lengths) {
  if (states.empty()) throw std::invalid_argument("stack_states: there must be at least one state");
  const Shape& shape = states[0].shape();
  if (shape.rank() != 2 || width < 0 || width > shape[1])
    throw std::invalid_argument(
        text("stack_states: states must be [B, width or more]: they are ", shape, ", the width is ", width));
  const Index batch = shape[0], stride = shape[1], T = static_cast<Index>(states.size());
  RecurrentStep step{0, lengths};
  step.check("stack_states", batch);
  Tensor stacked({batch, T, width});
  Real* to = stacked.unguarded_data();
  for (; step.number < T; ++step.number) {
    const Tensor& state = states[static_cast<std::size_t>(step.number)];
    check_shape("stack_states", "each state", state, shape);
    for (Index b = 0; width > 0 && b < batch; ++b) {
      Real* row = to + (b * T + step.number) * width;
      if (step.reaches(b))
        std::copy_n(state.data() + b * stride, width, row);
      else
        std::fill_n(row, width, Real(0));
    }
  }
  return stacked;
}

void add_stacked(const RecurrentStep& step, const Tensor& dy, Tensor& d_state) {
  if (dy.rank() != 3 || d_state.rank() != 2 || d_state.dim(0) != dy.dim(0) || d_state.dim(1) < dy.dim(2) ||
      step.number < 0 || step.number >= dy.dim(1))
    throw std::invalid_argument(
        text("add_stacked: dy must be [B, T, width] and the gradient [B, width or more]: dy is ", dy.shape(),
             " at step ", step.number, ", the gradient is ", d_state.shape()));
  const Index batch = dy.dim(0), T = dy.dim(1), width = dy.dim(2), stride = d_state.dim(1);
  step.check("add_stacked", batch);
  Real* to = d_state.unguarded_data();
  for (Index b = 0; b < batch; ++b) {
    if (!step.reaches(b)) continue;
    const Real* from = dy.data() + (b * T + step.number) * width;
#pragma omp simd
    for (Index i = 0; i < width; ++i) to[b * stride + i] += from[i];
  }
}

}  // namespace gradual
