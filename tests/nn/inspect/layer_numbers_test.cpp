#include <gradual/nn/inspect/layer_numbers.hpp>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

std::string columns(const LayerNumbers& layer, double first, double last) {
  return XmlDocument(layer.picture(first, last)).all("path", "cells").at(0).attributes.at("d");
}

}  // namespace

TEST_CASE("layer numbers: a column is missing where there are no weights, and seen where there are few") {
  LayerNumbers layer{"encoder.0", 1, -1, 1, {0.5, 0, 0.0001, 0.25}};
  CHECK(columns(layer, -1, 1) == "M0 30v-25h65V30M130 30v-1.5h65V30M195 30v-12.5h65V30");
  layer.histogram = {0, 0};
  CHECK(columns(layer, -1, 1).empty());
  layer.histogram = {};
  CHECK(columns(layer, -1, 1).empty());
}

TEST_CASE("layer numbers: layers share an axis, with lines at 0 and 1") {
  const LayerNumbers layer{"encoder.0", 1, 0, 1, {0.5, 0.5}};
  CHECK(columns(layer, -1, 1) == "M130 30v-25h65V30M195 30v-25h65V30");
  CHECK(XmlDocument(layer.picture(-1, 1)).all("path", "neutral").size() == 2);
  CHECK(XmlDocument(layer.picture(-1, 0.5)).all("path", "neutral").size() == 1);
  const LayerNumbers equal{"norm", 1, 1, 1, {1, 0}};
  CHECK(columns(equal, 0, 2) == "M130 30v-25h1V30");
  CHECK_THROWS_WITH(equal.picture(1, 1),
                    "LayerNumbers::picture: the axis must have a length: it goes from 1 to 1");
}
