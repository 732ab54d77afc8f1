// The weights and gradients of a model, layer by layer, in a few numbers.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/module.hpp>

namespace gradual {

/// The parameters of a layer, such as those that begin with "encoder.0".
struct LayerNumbers {
  std::string name;
  double gradient;                ///< the length of their gradient; NaN where there is none
  double lowest, highest;         ///< of the weights that are finite
  std::vector<double> histogram;  ///< the share of them in each of 24 ranges between these two

  /// The histogram as a picture, on an axis of weights from `first` to `last` with lines at 0 and 1. The
  /// highest column takes all of the height, and few weights are seen. Throws std::invalid_argument unless
  /// the axis has a length.
  std::string picture(double first, double last) const;
};

/// Of all layers, in the order of their first parameters. Gradients are as they are in the parameters, made
/// `longer` times as long.
std::vector<LayerNumbers> layer_numbers(const std::vector<NamedParameter>& parameters, double longer = 1);

}  // namespace gradual
