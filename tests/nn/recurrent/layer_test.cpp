// Recurrent layers: where they stop, what they carry on, and what they refuse.
#include <gradual/nn/recurrent/layer.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

constexpr Index B = 3, T = 5, in = 4, H = 2;

RecurrentLayer layer_of(CellKind kind, Direction direction) {
  return RecurrentLayer(kind, in, H, direction, Random(3));
}

const Indices lengths({B}, {2, 0, 5});

}  // namespace

TEST_CASE("gru: one step by hand") {
  RecurrentCell cell(CellKind::gru, 1, 1, Random(1));
  cell.input_weight.set_value(Tensor({3, 1}, {1, 2, 3}));
  cell.hidden_weight.set_value(Tensor({3, 1}, {-1, 1, 2}));
  cell.input_bias.set_value(Tensor({3}, {0, 0.5, 0}));
  cell.hidden_bias.set_value(Tensor({3}, {0.25, 0, -1}));
  const double x = 0.5, h = 0.75;
  const auto sigma = [](double a) { return 1 / (1 + std::exp(-a)); };
  const double r = sigma(x - h + 0.25), z = sigma(2 * x + 0.5 + h);
  const double n = std::tanh(3 * x + r * (2 * h - 1));
  const double expected = (1 - z) * n + z * h;
  const Var next = cell({0, {}}, cell.project(Tensor({1, 1, 1}, {Real(x)})), Tensor({1, 1}, {Real(h)}));
  CHECK(std::abs(next.value().item() - expected) < 1e-6);
}

TEST_CASE("lstm: one step by hand") {
  RecurrentCell cell(CellKind::lstm, 1, 1, Random(1));
  cell.input_weight.set_value(Tensor({4, 1}, {1, 2, 3, -1}));
  cell.hidden_weight.set_value(Tensor({4, 1}, {-1, 1, 2, 1}));
  cell.input_bias.set_value(Tensor({4}, {0, 0.5, 0, 1}));
  cell.hidden_bias.set_value(Tensor({4}, {0.25, 0, -1, 0}));
  const double x = 0.5, h = 0.75, c = -0.5;
  const auto sigma = [](double a) { return 1 / (1 + std::exp(-a)); };
  const double i = sigma(x - h + 0.25), f = sigma(2 * x + 0.5 + h), g = std::tanh(3 * x + 2 * h - 1),
               o = sigma(-x + h + 1);
  const double c_next = f * c + i * g;
  const Var next =
      cell({0, {}}, cell.project(Tensor({1, 1, 1}, {Real(x)})), Tensor({1, 2}, {Real(h), Real(c)}));
  CHECK(std::abs(next.value()({0, 0}) - o * std::tanh(c_next)) < 1e-6);
  CHECK(std::abs(next.value()({0, 1}) - c_next) < 1e-6);
}

TEST_CASE("recurrent layer: beyond a sentence's length the outputs are zeros") {
  for (const CellKind kind : {CellKind::gru, CellKind::lstm}) {
    const Tensor outputs =
        layer_of(kind, Direction::both)(random_tensor({B, T, in}, 1), lengths).outputs.value();
    for (Index b = 0; b < B; ++b) {
      for (Index t = 0; t < T; ++t) {
        for (Index i = 0; i < 2 * H; ++i) CHECK((outputs({b, t, i}) == 0) == (t >= lengths[b]));
      }
    }
  }
}

TEST_CASE("recurrent layer: the state of a sentence is carried unchanged beyond its length") {
  for (const CellKind kind : {CellKind::gru, CellKind::lstm}) {
    const RecurrentLayer layer = layer_of(kind, Direction::forward);
    const Tensor x = random_tensor({B, T, in}, 1);
    const Tensor last = layer(x, lengths).last.value();
    const Tensor two_words = slice(x.rows(0, 1), 1, 0, 2);
    CHECK(difference(last.rows(0, 1), layer(two_words).last.value()) == "");
    CHECK(difference(last.rows(1, 2), Tensor::zeros({1, last.dim(1)})) == "");
  }
}

TEST_CASE("recurrent layer: what stands in the padding changes nothing, and gets no gradient") {
  for (const CellKind kind : {CellKind::gru, CellKind::lstm}) {
    const RecurrentLayer layer = layer_of(kind, Direction::both);
    const Tensor words = random_tensor({1, T, in}, 1);
    Tensor padded = words;
    std::fill(padded.mutable_data() + 3 * in, padded.mutable_data() + T * in, Real(100));
    const Var x = Var::parameter(words), y = Var::parameter(padded);
    const Indices three({1}, {3});
    CHECK(difference(layer(x, three).outputs.value(), layer(y, three).outputs.value()) == "");
    const RecurrentLayer::Output out = layer(x, three);
    backward(sum(out.outputs) + sum(out.last));
    for (Index t = 0; t < T; ++t) {
      for (Index i = 0; i < in; ++i) CHECK((x.grad()({0, t, i}) == 0) == (t >= 3));
    }
  }
}

TEST_CASE("recurrent layer: the backward direction is the forward one over the sentence backwards") {
  for (const CellKind kind : {CellKind::gru, CellKind::lstm}) {
    const RecurrentLayer both = layer_of(kind, Direction::both);
    RecurrentLayer backwards = layer_of(kind, Direction::forward);
    backwards.cells[0] = both.cells[1];
    const Tensor x = random_tensor({1, T, in}, 1), three = slice(x, 1, 0, 3);
    const Tensor reversed =
        concat(std::vector<Tensor>{slice(x, 1, 2, 3), slice(x, 1, 1, 2), slice(x, 1, 0, 1)}, 1);
    const Tensor outputs = both(x, Indices({1}, {3})).outputs.value();
    const Tensor expected = backwards(reversed).outputs.value();
    for (Index t = 0; t < 3; ++t)
      CHECK(difference(slice(slice(outputs, 1, t, t + 1), 2, H, 2 * H), slice(expected, 1, 2 - t, 3 - t)) ==
            "");
  }
}

TEST_CASE("recurrent layer: bad inputs and lengths are refused") {
  const RecurrentLayer layer = layer_of(CellKind::gru, Direction::forward);
  const Var x = random_tensor({B, T, in}, 1);
  CHECK_THROWS_WITH(layer(x, Indices({B}, {1, 6, 2})),
                    "recurrent layer: valid lengths must lie in 0 … number of words: got 6 of 5 words");
  CHECK_THROWS_WITH(layer(x, Indices({2}, {1, 1})),
                    "recurrent layer: valid lengths must be [B]: B is 3, valid lengths are [2]");
  CHECK_THROWS_WITH(layer(x, Indices({1}, {5})),
                    "recurrent layer: valid lengths must be [B]: B is 3, valid lengths are [1]");
  CHECK_THROWS_AS(layer(random_tensor({T, in}, 1)), std::invalid_argument);
  CHECK_THROWS_AS(layer(random_tensor({B, 0, in}, 1)), std::invalid_argument);
  CHECK_THROWS_AS(layer(random_tensor({B, T, in + 1}, 1)), std::invalid_argument);
  const Tensor inputs = random_tensor({B, T, 3 * H}, 1), state = random_tensor({B, H}, 2);
  CHECK_THROWS_WITH(
      gru_step({5, {}}, Var(inputs), Var(random_tensor({B, 3 * H}, 3)), Var(state)),
      "gru_step: inputs must be [B, T, 3·H], recurrent [B, 3·H] and the state [B, 1·H]: inputs are "
      "[3, 5, 6] at step 5, recurrent is [3, 6], state is [3, 2]");
  CHECK_THROWS_AS(lstm_step({0, {}}, Var(inputs), Var(random_tensor({B, 3 * H}, 3)), Var(state)),
                  std::invalid_argument);
}
