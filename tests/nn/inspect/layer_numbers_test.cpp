#include <gradual/nn/inspect/layer_numbers.hpp>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("layer numbers: a column is empty where there are no weights, and seen where there are few") {
  LayerNumbers layer{"encoder.0", 1, -1, 1, {0.5, 0, 0.0001, 0.25, 0.2499}};
  CHECK(layer.columns() == "█\u2007▁▄▄");
  layer.histogram = {0, 0};
  CHECK(layer.columns() == "\u2007\u2007");
  layer.histogram = {};
  CHECK(layer.columns().empty());
}
