#include "exercise.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>

using namespace gradual;

namespace {

std::map<std::string, const Exercise*>& exercises() {
  static std::map<std::string, const Exercise*> all;
  return all;
}

// What is shown and handed in of a message.
std::string beginning_of(const char* message) {
  constexpr std::size_t most = 1000;
  return std::string(whole_characters({message, strnlen(message, most + 1)}, most));
}

}  // namespace

Exercise::Exercise(std::string number, Index size_count, Values (*draw_inputs)(Random, Index),
                   Values (*function)(const Values&))
    : part(std::move(number)), sizes(size_count), inputs(draw_inputs), call(function) {
  exercises()[part] = this;
}

const Exercise& exercise(const std::string& part) {
  const auto found = exercises().find(part);
  if (found == exercises().end())
    throw std::invalid_argument(
        text("assignments: a part needs an exercise in its cases.cpp: part is ", part));
  return *found->second;
}

const Tensor& tensor(const Values& values, const std::string& name) {
  const Tensor* found = values.find(name);
  if (!found) throw std::invalid_argument("assignments: there is no tensor \"" + name + "\" in this case");
  return *found;
}

const Indices& indices(const Values& values, const std::string& name) {
  for (const auto& [key, numbers] : values.indices)
    if (key == name) return numbers;
  throw std::invalid_argument("assignments: there are no indices \"" + name + "\" in this case");
}

Values outcome_of(const Exercise& exercise, const Values& inputs) {
  try {
    Values result = exercise.call(inputs);
    for (const auto& [name, numbers] : result.tensors)
      if (!numbers.defined()) throw std::invalid_argument("the result has nothing for " + name);
    return result;
  } catch (const std::exception& error) {
    Values thrown;
    thrown.metadata["error"] = beginning_of(error.what());
    return thrown;
  } catch (...) {
    Values thrown;
    thrown.metadata["error"] = "it threw what is no std::exception";
    return thrown;
  }
}

Tensor draw(Random random, const Shape& shape, double low, double high, double step) {
  Tensor numbers(shape);
  const Index steps = std::lround((high - low) / step);
  Real* to = numbers.mutable_data();
  for (Index i = 0; i < numbers.size(); ++i)
    to[i] = static_cast<Real>(low + step * static_cast<double>(random.below(steps + 1)));
  return numbers;
}

Tensor draw_weights(Random random, const Shape& shape) {
  const Index width = shape[-1];
  const Index pieces = std::max<Index>(20, 2 * width);
  Tensor weights(shape);
  Real* row = weights.mutable_data();
  for (Index r = 0; width > 0 && r < shape.size() / width; ++r, row += width) {
    std::vector<Index> shares(static_cast<std::size_t>(width), 1);  // no weight is 0
    for (Index left = pieces - width; left > 0; --left)
      ++shares[static_cast<std::size_t>(random.below(width))];
    for (Index i = 0; i < width; ++i)
      row[i] = static_cast<Real>(shares[static_cast<std::size_t>(i)]) / static_cast<Real>(pieces);
  }
  return weights;
}
