// What careless and malicious callers pass, by type.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <gradual/autograd/var.hpp>
#include <gradual/core/indices.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual::hostile {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
constexpr Index huge = Index(1) << 40;  // more numbers than any machine holds

inline Tensor numbers(const Shape& shape, const std::vector<double>& first = {}) {
  std::vector<Real> values(static_cast<std::size_t>(shape.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<Real>(i < first.size() ? first[i] : 0.25 * static_cast<double>(i % 9) - 0.9);
  return Tensor(shape, values);
}

/// Memory for some rows, as far as there is any.
inline Tensor room(Index rows, Index row_size, double first = -0.9) {
  if (rows > 1000 || row_size > 1000) throw std::bad_alloc();
  return numbers({std::max<Index>(rows, 0) * std::max<Index>(row_size, 0) + 1}, {first});
}

template <class T>
std::vector<T> arguments();

template <>
inline std::vector<Tensor> arguments() {
  return {Tensor(),
          Tensor::scalar(2),
          numbers({0}),
          numbers({1}),
          numbers({3}),
          numbers({3}, {nan, inf, -inf}),
          numbers({3}, {88.5, -104, 1e-40}),
          numbers({2, 3}),
          numbers({2, 3}, {nan, 1, 2, -inf, inf, 3}),
          numbers({2, 3}, {-inf, -inf, -inf, inf, inf, 0}),
          numbers({3, 2}),
          numbers({0, 3}),
          numbers({2, 0}),
          numbers({huge, 0}),
          numbers({0, huge}),
          numbers({0, huge, 2}),
          numbers({2, 3, 4}),
          numbers({1, 1, 1}),
          numbers({2, 1, 3}),
          numbers({5, 17}),
          numbers({1, 1, 1, 2, 1, 1, 1, 3})};
}

template <>
inline std::vector<Var> arguments() {
  std::vector<Var> result{Var(), numbers({2, 3}), numbers({3}, {nan, inf, -inf})};
  for (const Tensor& each : arguments<Tensor>())
    if (each.defined()) result.push_back(Var::parameter(each));
  return result;
}

template <>
inline std::vector<Indices> arguments() {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max(), least = -most - 1;
  return {Indices(),
          Indices({}, {1}),
          Indices({1}, {0}),
          Indices({2}, {0, 1}),
          Indices({2}, {1, -1}),
          Indices({2}, {most, 0}),
          Indices({2}, {0, least}),
          Indices({3}, {2, 0, 101}),
          Indices({2, 3}, {0, 1, 2, 2, 1, 0}),
          Indices({0, 3}, {}),
          Indices({huge, 0}, {})};
}

template <>
inline std::vector<Index> arguments() {
  constexpr Index most = std::numeric_limits<Index>::max();
  return {-most - 1, -huge, -9, -1, 0, 1, 2, 3, 8, 9, Index(1) << 31, huge, most};
}

template <>
inline std::vector<int> arguments() {
  constexpr int most = std::numeric_limits<int>::max();
  return {-most - 1, -1, 0, 1, 2, 64, 65, most};
}

template <>
inline std::vector<bool> arguments() {
  return {false, true};
}

template <>
inline std::vector<double> arguments() {
  return {0, -0.0, 1, -1, 2, 0.5, 1e30, nan, inf, -inf};
}

template <>
inline std::vector<float> arguments() {
  const std::vector<double> same = arguments<double>();
  return {same.begin(), same.end()};
}

template <>
inline std::vector<std::string> arguments() {
  return {"", "x", std::string("\0\n\"\xff", 4), std::string(10000, 'a'), "/", "/no/such/folder/file"};
}

template <>
inline std::vector<std::uint32_t> arguments() {
  return {0, 1, 7, 0xffffffffu};
}

template <>
inline std::vector<std::uint64_t> arguments() {
  return {0, 1, 7, 0xffffffffffffffffu};
}

template <>
inline std::vector<std::vector<Index>> arguments() {
  return {{},
          {0},
          {-1},
          {1},
          {0, 1},
          {1, 0},
          {0, 0},
          {3, -1},
          {-1, -1},
          {2},
          {-3},
          {8},
          {huge, huge},
          {6, huge},
          {0, 1, 2},
          {1, 1, 1, 1, 1, 1, 1, 1, 6},
          {std::numeric_limits<Index>::max()}};
}

template <>
inline std::vector<Shape> arguments() {
  return {{},
          {0},
          {1},
          {3},
          {2, 3},
          {3, 2},
          {6},
          {2, 0},
          {0, huge},
          {huge},
          {2, 3, 4},
          {2, 1, 3},
          {1, 1, 1, 2, 1, 1, 1, 3}};
}

template <>
inline std::vector<std::vector<Tensor>> arguments() {
  return {{},
          {Tensor()},
          {numbers({2, 3})},
          {numbers({2, 3}), numbers({2, 3})},
          {numbers({2, 3}), Tensor()},
          {numbers({2, 3}), numbers({3, 3})},
          {numbers({2, 3}), numbers({3})},
          {Tensor::scalar(1), Tensor::scalar(2)},
          {numbers({0, 3}), numbers({2, 3}, {nan, inf})},
          {numbers({huge, 0}), numbers({huge, 0})}};
}

template <>
inline std::vector<std::vector<Var>> arguments() {
  std::vector<std::vector<Var>> result{{Var()}};
  for (const std::vector<Tensor>& tensors : arguments<std::vector<Tensor>>()) {
    std::vector<Var> variables;
    for (const Tensor& each : tensors) variables.push_back(each.defined() ? Var::parameter(each) : Var());
    result.push_back(variables);
  }
  return result;
}

template <>
inline std::vector<std::vector<std::int32_t>> arguments() {
  return {{}, {0}, {0, 1, 2}, {-1}, {std::numeric_limits<std::int32_t>::max()}, {1, 1}};
}

}  // namespace gradual::hostile
