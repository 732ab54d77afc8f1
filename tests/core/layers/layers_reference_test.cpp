// Recurrent steps, sums along edges, dropout and Adam against their plain versions, over random shapes; in
// float and in double.
#include <gradual/core/reference/layers.hpp>

#include <functional>

#include <gradual/core/layers/dropout.hpp>
#include <gradual/core/layers/edges.hpp>
#include <gradual/core/layers/optimizer.hpp>
#include <gradual/core/layers/recurrent.hpp>

#include "support/random_cases.hpp"

using namespace gradual;
using reference::Array;
using reference::array_of;

namespace {

// What a step makes of `wanted` where it reaches the sentence, and `kept` where it does not.
Array where_reached(const RecurrentStep& step, const Array& wanted, const Array& kept) {
  Array result = wanted;
  for (std::size_t b = 0; b < result.shape(0); ++b)
    if (!step.reaches(static_cast<Index>(b)))
      xt::row(result, static_cast<std::ptrdiff_t>(b)) = xt::row(kept, static_cast<std::ptrdiff_t>(b));
  return result;
}

// The projected inputs of one step of x [B, T, G].
Array step_of(const Tensor& x, Index t) { return xt::view(array_of(x), xt::all(), t, xt::all()); }

using Forward = StepResult (*)(const RecurrentStep&, const Tensor&, const Tensor&, const Tensor&);

void check_step(RandomCase& random, Index gates, Index parts, Forward forward,
                const std::function<StepGradients(const RecurrentStep&, const StepResult&, const Tensor&,
                                                  const Tensor&, const Tensor&, Tensor&)>& backward,
                Array (*plain_forward)(const Array&, const Array&, const Array&),
                reference::StepGradients (*plain_backward)(const Array&, const Array&, const Array&,
                                                           const Array&)) {
  const Index B = random.size(6), T = random.some(4), H = random.some(random.chance(0.1) ? 130 : 20);
  const RecurrentStep step{random.from(0, T - 1), random.chance() ? random.whole({B}, 0, T) : Indices()};
  const Tensor inputs = random.numbers({B, T, gates * H}, -4, 4), u = random.numbers({B, gates * H}, -4, 4),
               state = random.numbers({B, parts * H}), d_next = random.numbers({B, parts * H}),
               before = random.numbers({B, T, gates * H});
  const StepResult ours = forward(step, inputs, u, state);
  Tensor d_inputs = before;
  const StepGradients gradients = backward(step, ours, u, state, d_next, d_inputs);
  if (B == 0) {
    CHECK(ours.state.shape() == state.shape());
    return;
  }
  const Array a = step_of(inputs, step.number), h = array_of(state), nothing = xt::zeros_like(a);
  CHECK(departure(ours.state, where_reached(step, plain_forward(a, array_of(u), h), h), 8, 1) == "");
  const reference::StepGradients plain = plain_backward(a, array_of(u), h, array_of(d_next));
  CHECK(departure(gradients.recurrent, where_reached(step, plain.recurrent, nothing), 16, 2) == "");
  CHECK(departure(gradients.state, where_reached(step, plain.state, array_of(d_next)), 16, 2) == "");
  Array sums = array_of(before);
  xt::view(sums, xt::all(), step.number, xt::all()) += where_reached(step, plain.gates, nothing);
  CHECK(departure(d_inputs, sums, 16, 2) == "");
}

Array mask_of(const DropoutMask& mask, const Shape& shape) {
  Array values(xtensor_shape(shape));
  for (Index i = 0; i < shape.size(); ++i) values.data()[i] = static_cast<double>(mask(i));
  return values;
}

}  // namespace

TEST_CASE("steps of GRU and LSTM equal their plain versions, forward and backward, for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    check_step(
        random, 3, 1, gru_step,
        [](const auto& step, const StepResult& result, const Tensor& u, const Tensor& h, const Tensor& d_next,
           Tensor& d_inputs) { return gru_step_backward(step, result.gates, u, h, d_next, d_inputs); },
        reference::gru_step, reference::gru_step_backward);
    check_step(
        random, 4, 2, lstm_step,
        [](const auto& step, const StepResult& result, const Tensor&, const Tensor& state,
           const Tensor& d_next, Tensor& d_inputs) {
          return lstm_step_backward(step, result.gates, state, result.state, d_next, d_inputs);
        },
        reference::lstm_step, reference::lstm_step_backward);
  });
}

TEST_CASE("stacked states, and their gradients, are where they belong for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    const Index B = random.size(5), T = random.some(5), W = random.some(9), width = random.from(0, W);
    const Indices lengths = random.chance() ? random.whole({B}, 0, T) : Indices();
    std::vector<Tensor> states;
    for (Index t = 0; t < T; ++t) states.push_back(random.numbers({B, W}));
    const Tensor stacked = stack_states(states, width, lengths), dy = random.numbers({B, T, width});
    REQUIRE(stacked.shape() == Shape{B, T, width});
    for (Index t = 0; t < T; ++t) {
      Tensor d_state = Tensor::ones({B, W});
      add_stacked({t, lengths}, dy, d_state);
      bool right = true;
      for (Index b = 0; b < B; ++b) {
        const bool reached = lengths.size() == 0 || t < lengths[b];
        for (Index i = 0; i < W; ++i) {
          if (i < width)
            right = right &&
                    stacked({b, t, i}) == (reached ? states[static_cast<std::size_t>(t)]({b, i}) : Real(0));
          right = right && d_state({b, i}) == (reached && i < width ? 1 + dy({b, t, i}) : Real(1));
        }
      }
      CHECK(right);
    }
  });
}

TEST_CASE(
    "softmax and sums along edges equal their plain versions, forward and backward, for 1,000 random "
    "graphs") {
  for_random_cases(1000, [](RandomCase& random) {
    const Index N = random.some(7), E = random.size(15), H = random.some(3), F = random.size(5);
    const EdgeList edges(N, random.whole({E}, 0, N - 1), random.whole({E}, 0, N - 1));
    const Tensor scores = random.numbers({E, H}, -9, 9), d_scores = random.numbers({E, H}),
                 x = random.numbers({N, H * F}), dy = random.numbers({N, H * F});
    const Tensor w = edge_softmax(scores, edges);
    const Array plain = reference::edge_softmax(array_of(scores), edges.targets());
    CHECK(departure(w, plain, 4) == "");
    CHECK(departure(edge_softmax_backward(w, d_scores, edges),
                    reference::edge_softmax_backward(array_of(w), array_of(d_scores), edges.targets()), 4,
                    2) == "");
    const Tensor y = sum_along_edges(w, x, edges), d_w = sum_along_edges_d_weights(x, dy, H, edges),
                 d_x = sum_along_edges_d_x(w, dy, edges);
    if (F == 0) {
      CHECK((y.shape() == x.shape() && magnitude(array_of(d_w)) == 0));
      return;
    }
    const Array weights = array_of(w);
    CHECK(departure(y, reference::sum_along_edges(weights, array_of(x), edges.sources(), edges.targets()), 4,
                    2) == "");
    const reference::EdgeGradients gradients = reference::sum_along_edges_backward(
        weights, array_of(x), array_of(dy), edges.sources(), edges.targets());
    CHECK(departure(d_w, gradients.weights, 4, 8) == "");
    CHECK(departure(d_x, gradients.x, 4, 8) == "");
  });
}

TEST_CASE("dropout and what is fused with it equal their plain versions for 1,000 random shapes") {
  for_random_cases(1000, [](RandomCase& random) {
    const Shape shape{random.size(20), random.size(30)};
    const DropoutMask mask(random.chance(0.2) ? 0.0 : 0.4,
                           static_cast<std::uint32_t>(random.from(0, 1 << 30)));
    const Tensor x = random.numbers(shape), y = random.numbers(shape), dy = random.numbers(shape);
    const Array plain_mask = mask_of(mask, shape), plain_x = array_of(x);
    CHECK(departure(apply_dropout(x, mask), reference::dropout(plain_x, plain_mask), 1) == "");
    CHECK(departure(add_dropped(x, y, mask), plain_x + reference::dropout(array_of(y), plain_mask), 2) == "");
    const Tensor z = relu_dropped(x, mask);
    CHECK(departure(z, reference::relu_dropped(plain_x, plain_mask), 1) == "");
    CHECK(departure(relu_dropped_backward(z, dy, mask),
                    reference::relu_dropped_backward(plain_x, array_of(dy), plain_mask), 1) == "");
  });
}

TEST_CASE("steps of Adam equal their plain version for 1,000 random parameters") {
  for_random_cases(1000, [](RandomCase& random) {
    const Shape first{random.size(random.chance(0.02) ? 20000 : 40)}, second{random.size(40)};
    const double rate = 0.01, beta1 = 0.9, beta2 = 0.98, epsilon = 1e-6,
                 decay = random.chance() ? 0.0 : 0.003, scale = random.chance() ? 1.0 : 0.25;
    const int step = static_cast<int>(random.from(1, 50));
    std::vector<Tensor> values, gradients, m, v;
    std::vector<AdamParameter> parameters;
    std::vector<reference::AdamState> plain;
    double squares = 0;
    for (const Shape& shape : {first, second}) {
      values.push_back(random.numbers(shape));
      gradients.push_back(random.numbers(shape));
      m.push_back(random.numbers(shape));
      v.push_back(random.numbers(shape, 0, 4));
      const reference::AdamState before{array_of(values.back()), array_of(m.back()), array_of(v.back())};
      plain.push_back(reference::adam_step(before, scale * array_of(gradients.back()), rate, beta1, beta2,
                                           epsilon, decay, step));
      const Array slopes = array_of(gradients.back());
      squares += xt::sum(slopes * slopes)();
    }
    CHECK(sum_of_squares(gradients) == Approx(squares).epsilon(1e-12));
    for (std::size_t i = 0; i < 2; ++i)
      parameters.push_back({gradients[i].data(), values[i].mutable_data(), m[i].mutable_data(),
                            v[i].mutable_data(), values[i].size(), static_cast<Real>(decay)});
    adam_step(
        {Real(beta1), Real(beta2), Real(epsilon), Real(rate), static_cast<Real>(1 - std::pow(beta1, step)),
         static_cast<Real>(1 - std::pow(beta2, step)), static_cast<Real>(scale)},
        parameters);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(departure(values[i], plain[i].value, 8, 2) == "");
      CHECK(departure(m[i], plain[i].m, 4, 2) == "");
      CHECK(departure(v[i], plain[i].v, 8, 4) == "");
    }
  });
}
