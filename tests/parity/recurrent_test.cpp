// GRU and LSTM over sentences of different lengths, compared with PyTorch.
#include <gradual/nn/recurrent/layer.hpp>

#include "support/fixtures.hpp"

using namespace gradual;

TEST_CASE("recurrent layer: outputs, last states and gradients are PyTorch's over packed sequences") {
  for (const std::string kind : {"gru", "lstm"}) {
    for (const Direction direction : {Direction::forward, Direction::both}) {
      const std::string name = kind + (direction == Direction::forward ? "_1" : "_2");
      INFO(name);
      const Fixture fixture(name);
      RecurrentLayer layer(kind == "gru" ? CellKind::gru : CellKind::lstm, 5, 4, direction, Random(1));
      fixture.load_into(parameters(layer));

      const Var x = Var::parameter(fixture.tensor("x"));
      const RecurrentLayer::Output result = layer(x, fixture.indices("lengths"));
      const Var y = concat({reshape(result.outputs, {x.dim(0), -1}), result.last}, 1);
      CHECK(difference(y.value(), fixture.tensor("y")) == "");
      backward(y, fixture.tensor("dy"));
      CHECK(difference(x.grad(), fixture.tensor("d_x")) == "");
      fixture.check_gradients(parameters(layer));
    }
  }
}
