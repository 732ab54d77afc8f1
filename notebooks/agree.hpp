// Whether what was computed in two ways is the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <gradual/autograd/var.hpp>

inline void append_numbers(double number, std::vector<double>& to) { to.push_back(number); }
inline void append_numbers(const gradual::Tensor& tensor, std::vector<double>& to) {
  to.insert(to.end(), tensor.begin(), tensor.end());
}
inline void append_numbers(const gradual::Var& variable, std::vector<double>& to) {
  append_numbers(variable.value(), to);
}
template <class Item>
void append_numbers(const std::vector<Item>& items, std::vector<double>& to) {
  for (const Item& item : items) append_numbers(item, to);
}

/// Whether the numbers of two tensors, variables or vectors, in their order, are as many and differ by at
/// most the tolerance. The shapes may differ.
template <class A, class B>
bool agree(const A& a, const B& b, double tolerance = 1e-5) {
  std::vector<double> left, right;
  append_numbers(a, left);
  append_numbers(b, right);
  const auto near = [tolerance](double x, double y) { return std::abs(x - y) <= tolerance; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), near);
}
