// Calls functions with every pair of hostile arguments, and judges what they answer.
//
//   const Header header("core/elements/arithmetic.hpp");
//   const bool driven = header.drives("exp", [](Tensor x) { return exp(x); }, std::tuple(numbers({2, 3})),
//   expected);
#pragma once

#include <cmath>
#include <cstring>
#include <functional>
#include <new>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gradual/core/memory.hpp>

#include "hostile/arguments.hpp"

namespace gradual::hostile {

// ---- What was answered, as a row of numbers

using Answer = std::vector<double>;

template <class T>
std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>> note(Answer& answer, const T& number) {
  answer.push_back(static_cast<double>(number));
}
inline void note(Answer& answer, const std::string& words) {
  for (char c : words) answer.push_back(c);
}
inline void note(Answer& answer, const Shape& shape) {
  answer.push_back(static_cast<double>(shape.rank()));
  for (Index size : shape) answer.push_back(static_cast<double>(size));
}
inline void note(Answer& answer, const Tensor& tensor) {
  answer.push_back(tensor.defined());
  if (!tensor.defined()) return;
  note(answer, tensor.shape());
  for (Real number : tensor) answer.push_back(number);
}
inline void note(Answer& answer, const Var& variable) {
  if (variable.defined()) note(answer, variable.value());
}
inline void note(Answer& answer, const Indices& indices) {
  note(answer, indices.shape());
  for (std::int32_t number : indices) answer.push_back(number);
}
template <class T>
void note(Answer& answer, const std::vector<T>& all) {
  answer.push_back(static_cast<double>(all.size()));
  for (const T& each : all) note(answer, each);
}

/// y, and the gradients of the inputs under a gradient of ones.
inline std::vector<Tensor> slopes(const Var& y, const std::vector<Var>& inputs) {
  std::vector<Tensor> result{y.value()};
  for (Var each : inputs) each.zero_grad();
  if (!y.requires_grad()) return result;
  backward(y, Tensor::ones(y.shape()));
  for (const Var& each : inputs)
    if (each.requires_grad()) result.push_back(each.grad());
  return result;
}

// ---- What an argument looks like, and whether it asks for more than a machine has

template <class T>
std::string picture(const T& argument) {
  Answer numbers;
  note(numbers, argument);
  std::ostringstream out;
  out << '(';
  for (std::size_t i = 0; i < numbers.size() && i < 14; ++i) out << (i ? " " : "") << numbers[i];
  out << ')';
  return out.str();
}
template <class T>
bool asks_for_much(const T& argument) {
  Answer numbers;
  note(numbers, argument);
  for (double each : numbers)
    if (std::isfinite(each) && std::abs(each) >= 1e9) return true;
  return false;
}

/// Leaves a number in the memory that the next tensors get: what they do not write shows it.
inline void leave_in_memory(Real number) {
  std::vector<Block> blocks;
  for (Index lines = 0; lines < 24; ++lines) {
    const Index count = lines * 64 / static_cast<Index>(sizeof(Real));
    for (int i = 0; i < 4; ++i) {
      blocks.emplace_back(count);
      std::fill_n(blocks.back().data(), count, number);
    }
  }
}

inline bool same(const Answer& a, const Answer& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}
inline bool close(const Answer& ours, const Answer& expected) {
  if (ours.size() != expected.size()) return false;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double o = ours[i], e = expected[i];
    if (o == e || (std::isnan(o) && std::isnan(e))) continue;
    if (!(std::abs(o - e) <= 1e-5 * std::abs(e) + 2e-6)) return false;
  }
  return true;
}

// ---- What fits, in place of which hostile arguments come

inline const Tensor six = numbers({2, 3}), three = numbers({3});
inline const Var weight = Var::parameter(six), three_weights = Var::parameter(three);
inline const Shape some_shape{2, 3};
inline const Indices no_lengths;  // nothing is padded

/// A node of its own: what is set here must not stay for the next call.
inline Var fresh(const Var& x) {
  return !x.defined() ? x : x.requires_grad() ? Var::parameter(x.value()) : Var(x.value());
}

/// An axis counted from 0, by hand.
inline Index axis_of(const Shape& shape, Index axis) { return axis < 0 ? axis + shape.rank() : axis; }

// ---- Driving

struct Driven {
  std::string header, name;
  std::function<std::vector<std::string>()> wrong_answers;
};
inline std::vector<Driven>& all_driven() {
  static std::vector<Driven> all;
  return all;
}

struct NothingExpected {};

/// The functions of one header.
class Header {
 public:
  explicit Header(std::string path) : path_(std::move(path)) {}

  /// `names` is the function's name and, after a `|` each, what its messages may begin with instead.
  /// `ordinary` are arguments that fit: each pair of them is replaced by each pair of hostile ones.
  /// `expected` computes the right answer from the same arguments, plainly.
  template <class Call, class... Ordinary, class Expected = NothingExpected>
  const Header& drives(const std::string& names, Call call, std::tuple<Ordinary...> ordinary,
                       Expected expected = {}) const {
    std::istringstream words(names);
    std::vector<std::string> says;
    for (std::string word; std::getline(words, word, '|');) says.push_back(word);
    const std::string name = says[0];
    says[0] = name.substr(name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1);
    all_driven().push_back({path_, name, [=] {
                              std::vector<std::string> wrong;
                              each_pair(ordinary, [&](const auto&... arguments) {
                                const std::string answer = judge(says, call, expected, arguments...);
                                if (!answer.empty() && wrong.size() < 5)
                                  wrong.push_back(name + (picture(arguments) + ... + (": " + answer)));
                              });
                              return wrong;
                            }});
    return *this;
  }

 private:
  template <class Visit, class... T>
  static void each_pair(const std::tuple<T...>& ordinary, const Visit& visit) {
    if constexpr (sizeof...(T) == 0) {
      visit();
    } else {
      const std::tuple<std::vector<T>...> hostile{arguments<T>()...};
      std::tuple<T...> now = ordinary;
      std::apply(visit, now);
      vary(now, hostile, visit, std::index_sequence_for<T...>());
    }
  }
  template <class Tuple, class Lists, class Visit, std::size_t... I>
  static void vary(Tuple& now, const Lists& lists, const Visit& visit, std::index_sequence<I...>) {
    (vary_one<I>(now, lists, visit, std::index_sequence<I...>()), ...);
  }
  template <std::size_t I, class Tuple, class Lists, class Visit, std::size_t... J>
  static void vary_one(Tuple& now, const Lists& lists, const Visit& visit, std::index_sequence<J...>) {
    const auto before = std::get<I>(now);
    for (auto each : std::get<I>(lists)) {
      std::get<I>(now) = each;
      std::apply(visit, now);
      (vary_second<I, J>(now, lists, visit), ...);
    }
    std::get<I>(now) = before;
  }
  template <std::size_t I, std::size_t J, class Tuple, class Lists, class Visit>
  static void vary_second(Tuple& now, const Lists& lists, const Visit& visit) {
    if constexpr (J > I) {
      const auto before = std::get<J>(now);
      for (auto each : std::get<J>(lists)) {
        std::get<J>(now) = each;
        std::apply(visit, now);
      }
      std::get<J>(now) = before;
    }
  }

  template <class Call, class... T>
  static Answer answer(const Call& call, const T&... arguments) {
    Answer result;
    if constexpr (std::is_void_v<std::invoke_result_t<Call, T...>>)
      call(arguments...);
    else
      note(result, call(arguments...));
    return result;
  }

  // Empty when a call was refused as it should be, or its answer is right.
  template <class Call, class Expected, class... T>
  static std::string judge(const std::vector<std::string>& says, const Call& call, const Expected& expected,
                           const T&... arguments) {
    try {
      leave_in_memory(Real(nan));
      const Answer first = answer(call, arguments...);
      leave_in_memory(Real(1e30));
      if (!same(first, answer(call, arguments...)))
        return "two calls give two answers: numbers that nobody wrote";
      if constexpr (!std::is_same_v<Expected, NothingExpected>) {
        const Answer right = answer(expected, arguments...);
        if (!close(first, right)) return "the answer is " + picture(first) + " instead of " + picture(right);
      }
      return "";
    } catch (const std::logic_error& error) {
      const std::string message = error.what();
      for (const std::string& name : says)
        if (message.rfind(name + ": ", 0) == 0) return "";
      return "refused without the name of the operation: " + message;
    } catch (const std::bad_alloc&) {
      return (asks_for_much(arguments) || ...) ? "" : "bad_alloc for little";
    } catch (const std::exception& error) {
      return std::string("another exception: ") + error.what();
    }
  }

  std::string path_;
};

}  // namespace gradual::hostile
