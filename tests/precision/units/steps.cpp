// Steps of recurrent networks and of the optimizer, dropout, and edges of graphs.
#include <gradual/core/layers/dropout.hpp>
#include <gradual/core/layers/edges.hpp>
#include <gradual/core/layers/optimizer.hpp>
#include <gradual/core/layers/recurrent.hpp>

#include "report.hpp"

namespace gradual {
namespace {

constexpr Index columns = 37;
const Exact one(1);

void measure_gru(Report& report, double size, Random random) {
  const Tensor inputs = numbers({1, 1, 3 * columns}, random.split(), size),
               recurrent = numbers({1, 3 * columns}, random.split(), size);
  const Tensor state = numbers({1, columns}, random.split()), d_next = numbers({1, columns}, random.split());
  const RecurrentStep step{0, {}};
  const StepResult got = gru_step(step, inputs, recurrent, state);
  Tensor d_inputs = Tensor::zeros(inputs.shape());
  const StepGradients back = gru_step_backward(step, got.gates, recurrent, state, d_next, d_inputs);
  const auto number = [](const Tensor& x, Index part, Index i) {
    return Exact(x.data()[part * columns + i]);
  };
  for (Index i = 0; i < columns; ++i) {
    const Exact r = sigmoid(number(inputs, 0, i) + number(recurrent, 0, i));
    const Exact z = sigmoid(number(inputs, 1, i) + number(recurrent, 1, i));
    const Exact n = tanh(number(inputs, 2, i) + r * number(recurrent, 2, i));
    const Exact h = number(state, 0, i), d = number(d_next, 0, i), u = number(recurrent, 2, i);
    report.begin("gru_step", 3);
    report.compare(got.state.data()[i], (one - z) * n + z * h);
    const Exact dn = d * (one - z) * (one - n * n), dz = d * (h - n) * z * (one - z),
                dr = dn * u * r * (one - r);
    report.begin("gru_step_backward", 3);
    report.compare(d_inputs.data()[i], dr);
    report.compare(d_inputs.data()[columns + i], dz);
    report.compare(d_inputs.data()[2 * columns + i], dn);
    report.compare(back.recurrent.data()[2 * columns + i], dn * r);
    report.compare(back.state.data()[i], d * z);
  }
}

void measure_lstm(Report& report, double size, Random random) {
  const Tensor inputs = numbers({1, 1, 4 * columns}, random.split(), size),
               recurrent = numbers({1, 4 * columns}, random.split(), size);
  const Tensor state = numbers({1, 2 * columns}, random.split()),
               d_next = numbers({1, 2 * columns}, random.split());
  const RecurrentStep step{0, {}};
  const StepResult got = lstm_step(step, inputs, recurrent, state);
  Tensor d_inputs = Tensor::zeros(inputs.shape());
  const StepGradients back = lstm_step_backward(step, got.gates, state, got.state, d_next, d_inputs);
  const auto sum = [&](Index gate, Index i) {
    return Exact(inputs.data()[gate * columns + i]) + Exact(recurrent.data()[gate * columns + i]);
  };
  for (Index i = 0; i < columns; ++i) {
    const Exact in = sigmoid(sum(0, i)), forget = sigmoid(sum(1, i)), g = tanh(sum(2, i)),
                o = sigmoid(sum(3, i));
    const Exact c(state.data()[columns + i]), dh(d_next.data()[i]);
    const Exact next = forget * c + in * g, t = tanh(next);
    report.begin("lstm_step", 3);
    report.compare(got.state.data()[i], o * t);
    report.compare(got.state.data()[columns + i], next);
    const Exact dc = Exact(d_next.data()[columns + i]) + dh * o * (one - t * t);
    report.begin("lstm_step_backward", 3);
    report.compare(d_inputs.data()[i], dc * g * in * (one - in));
    report.compare(d_inputs.data()[columns + i], dc * c * forget * (one - forget));
    report.compare(d_inputs.data()[2 * columns + i], dc * in * (one - g * g));
    report.compare(d_inputs.data()[3 * columns + i], dh * t * o * (one - o));
    report.compare(back.state.data()[columns + i], dc * forget);
  }
}

void measure_adam(Report& report, double size, Random random) {
  const Tensor gradient = numbers({columns}, random.split(), size),
               value = numbers({columns}, random.split());
  const Tensor m = numbers({columns}, random.split(), size);
  Tensor v = numbers({columns}, random.split(), size);
  for (Index i = 0; i < columns; ++i) v.mutable_data()[i] *= v.data()[i];
  const AdamStep step{Real(0.9), Real(0.98), Real(1e-9), Real(1e-3), Real(0.5), Real(0.25), Real(0.5)};
  const Real decay = Real(1e-4);
  Tensor new_value = value, new_m = m, new_v = v;
  adam_step(step, {{gradient.data(), new_value.mutable_data(), new_m.mutable_data(), new_v.mutable_data(),
                    columns, decay}});
  report.begin("adam_step", 3);
  for (Index i = 0; i < columns; ++i) {
    const Exact g = Exact(step.scale) * Exact(gradient.data()[i]);
    const Exact next_m = Exact(step.beta1) * Exact(m.data()[i]) + (one - Exact(step.beta1)) * g;
    const Exact next_v = Exact(step.beta2) * Exact(v.data()[i]) + (one - Exact(step.beta2)) * g * g;
    const Exact length = sqrt(next_v / Exact(step.correction2)) + Exact(step.epsilon);
    report.compare(new_m.data()[i], next_m);
    report.compare(new_v.data()[i], next_v);
    report.compare(new_value.data()[i], Exact(value.data()[i]) * (one - Exact(decay)) -
                                            Exact(step.rate) * (next_m / Exact(step.correction1)) / length);
  }
}

void measure_dropout(Report& report, double size, Random random) {
  const Tensor x = numbers({columns}, random.split(), size), y = numbers({columns}, random.split(), size);
  const DropoutMask mask(0.3, 5);
  const auto factor = [&](Index i) { return Exact(mask(i)); };
  report.begin("dropout, alone and with what is around it", 2);
  report.compare_all(apply_dropout(x, mask), [&](Index i) { return Exact(x.data()[i]) * factor(i); });
  report.compare_all(add_dropped(x, y, mask),
                     [&](Index i) { return Exact(x.data()[i]) + Exact(y.data()[i]) * factor(i); });
  report.compare_all(relu_dropped(x, mask),
                     [&](Index i) { return x.data()[i] > 0 ? Exact(x.data()[i]) * factor(i) : Exact(); });
}

void measure_edges(Report& report, double size, Random random) {
  constexpr Index nodes = 8, count = 40;
  std::vector<std::int32_t> from, to;
  for (Index k = 0; k < count; ++k) {
    from.push_back(static_cast<std::int32_t>(random.below(nodes)));
    to.push_back(static_cast<std::int32_t>(random.below(nodes)));
  }
  const EdgeList edges(nodes, Indices({count}, from), Indices({count}, to));
  const Tensor x = numbers({count, 1}, random.split(), size), dy = numbers({count, 1}, random.split());
  const Tensor node_values = numbers({nodes, columns}, random.split(), size),
               weights = edge_softmax(x, edges);
  const auto over_neighbours = [&](Index edge, auto term) {  // Σ over the edges with the same target
    const EdgeRange range = edges.into(edges.targets()[edge]);
    return sum_of(range.last - range.first, [&](Index n) { return term(range.first + n); });
  };
  report.begin("edge_softmax", 2);
  report.compare_all(weights, [&](Index k) {
    const EdgeRange range = edges.into(edges.targets()[k]);
    long double top = x.data()[k];
    for (Index n = range.first; n < range.last; ++n)
      top = std::fmax(top, static_cast<long double>(x.data()[n]));
    const auto power = [&](Index n) { return exp(Exact(x.data()[n]) - Exact(top)); };
    return power(k) / over_neighbours(k, power);
  });
  report.begin("edge_softmax_backward", 2);
  report.compare_all(edge_softmax_backward(weights, dy, edges), [&](Index k) {
    const Exact mean =
        over_neighbours(k, [&](Index n) { return Exact(weights.data()[n]) * Exact(dy.data()[n]); });
    return Exact(weights.data()[k]) * (Exact(dy.data()[k]) - mean);
  });
  report.begin("sum_along_edges", 2);
  report.compare_all(sum_along_edges(weights, node_values, edges), [&](Index at) {
    const EdgeRange range = edges.into(at / columns);
    return sum_of(range.last - range.first, [&](Index n) {
      const Index k = range.first + n;
      return Exact(weights.data()[k]) *
             Exact(node_values.data()[edges.sources()[k] * columns + at % columns]);
    });
  });
}

}  // namespace

void measure_steps(Report& report) {
  Random random(4);
  for (int repeat = 0; repeat < 20; ++repeat)
    for (const double size : {1e-6, 1.0, 5.0, 100.0}) {
      measure_gru(report, size, random.split());
      measure_lstm(report, size, random.split());
      measure_adam(report, size, random.split());
      measure_dropout(report, size, random.split());
      measure_edges(report, size, random.split());
    }
}

}  // namespace gradual
