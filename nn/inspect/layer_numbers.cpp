#include <gradual/nn/inspect/layer_numbers.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/svg.hpp>

namespace gradual {
namespace {

constexpr std::size_t ranges = 24;

// Up to the first number: "encoder.0" of "encoder.0.self_attention.weight"; else the first part.
std::string layer_name(const std::string& parameter) {
  const std::size_t end = parameter.find('.');
  if (end == std::string::npos) return parameter;
  const std::size_t next = std::min(parameter.find('.', end + 1), parameter.size());
  const std::string second = parameter.substr(end + 1, next - end - 1);
  const bool is_number = !second.empty() && second.find_first_not_of("0123456789") == std::string::npos;
  return parameter.substr(0, is_number ? next : end);
}

// Calls `use` with each weight that is finite.
template <class Use>
void for_each_weight(const std::vector<Var>& parameters, const Use& use) {
  for (const Var& each : parameters)
    for (const Real weight : each.value())
      if (std::isfinite(weight)) use(static_cast<double>(weight));
}

LayerNumbers numbers_of(const std::string& name, const std::vector<Var>& parameters, double longer) {
  double squares = 0, lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  bool has_gradient = false;
  for (const Var& each : parameters) {
    if (!each.grad().defined()) continue;
    has_gradient = true;
    for (const Real slope : each.grad()) squares += static_cast<double>(slope) * static_cast<double>(slope);
  }
  for_each_weight(parameters, [&](double weight) {
    lowest = std::min(lowest, weight);
    highest = std::max(highest, weight);
  });
  LayerNumbers layer{name, has_gradient ? longer * std::sqrt(squares) : std::nan(""), 0, 0,
                     std::vector<double>(ranges)};
  if (lowest > highest) return layer;  // there is no such weight
  layer.lowest = lowest;
  layer.highest = highest;
  const double width = (highest - lowest) / static_cast<double>(ranges);
  double count = 0;
  for_each_weight(parameters, [&](double weight) {
    const double range = width > 0 ? std::floor((weight - lowest) / width) : 0;
    layer.histogram[std::min(static_cast<std::size_t>(range), ranges - 1)] += 1;
    ++count;
  });
  for (double& share : layer.histogram) share /= count;
  return layer;
}

}  // namespace

std::string LayerNumbers::picture(double first, double last) const {
  if (!(first < last))
    throw std::invalid_argument(
        text("LayerNumbers::picture: the axis must have a length: it goes from ", first, " to ", last));
  constexpr double width = 260, height = 30, highest_column = 25, least = 1.5;
  const auto x_of = [&](double weight) { return width * (weight - first) / (last - first); };
  Svg svg(width, height, "histogram",
          text("Weights from ", short_text(lowest, 3), " to ", short_text(highest, 3)));
  const double most = histogram.empty() ? 0 : *std::max_element(histogram.begin(), histogram.end());
  const auto ranges_here = static_cast<double>(histogram.size());
  std::string columns;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    if (!(histogram[i] > 0)) continue;
    const auto edge = [&](std::size_t range) {
      return x_of(lowest + (highest - lowest) * static_cast<double>(range) / ranges_here);
    };
    const double column = std::max(edge(i + 1) - edge(i), 1.0);  // equal weights have a range without a width
    columns += text("M", trimmed_text(edge(i), 1), " ", height, "v",
                    trimmed_text(-std::max(least, highest_column * histogram[i] / most), 1), "h",
                    trimmed_text(column, 1), "V", height);
  }
  svg.element("path", {{"class", "cells"}, {"d", columns}});
  for (const double mark : {0.0, 1.0})  // over the columns, which end below them
    if (first <= mark && mark <= last)
      svg.element("path",
                  {{"class", "neutral"}, {"d", text("M", trimmed_text(x_of(mark), 1), " 0V", height)}});
  return svg.finish();
}

std::vector<LayerNumbers> layer_numbers(const std::vector<NamedParameter>& parameters, double longer) {
  std::vector<std::pair<std::string, std::vector<Var>>> layers;
  for (const NamedParameter& each : parameters) {
    const std::string name = layer_name(each.name);
    const auto found =
        std::find_if(layers.begin(), layers.end(), [&](const auto& layer) { return layer.first == name; });
    if (found == layers.end())
      layers.push_back({name, {each.variable}});
    else
      found->second.push_back(each.variable);
  }
  std::vector<LayerNumbers> numbers;
  for (const auto& [name, members] : layers) numbers.push_back(numbers_of(name, members, longer));
  return numbers;
}

}  // namespace gradual
