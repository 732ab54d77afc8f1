// What was measured, as a table, and whether it is within what is promised.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/core/tensor.hpp>

#include "exact.hpp"

namespace gradual {

class Report {
 public:
  /// What follows belongs to a line of this name, which is to stay within `most` units.
  void begin(const std::string& name, double most) {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i].name == name) return static_cast<void>(current_ = i);
    current_ = lines_.size();
    lines_.push_back({name, most});
  }
  /// One result, at the place `x`.
  void compare(Real got, const Exact& expected, Real x = 0) {
    add(units_between(got, expected.value, expected.cost), x);
  }
  void add(double units, Real x) {
    Line& line = lines_[current_];
    line.total += units;
    ++line.count;
    if (units > line.largest || line.count == 1) line.largest = units, line.place = x;
  }
  /// All of a tensor, whose number i is to be expected(i).
  template <class Expected>
  void compare_all(const Tensor& got, Expected expected) {
    for (Index i = 0; i < got.size(); ++i) compare(got.data()[i], expected(i));
  }

  /// Prints the lines; returns whether all keep what they promise.
  bool print(const char* what, bool with_place) const {
    std::printf("| %s | compared | mean | largest |%s at most |\n|---|---|---|---|%s---|\n", what,
                with_place ? " at |" : "", with_place ? "---|" : "");
    bool kept = true;
    for (const Line& line : lines_) {
      std::printf("| %s | %lld | %.2g | %.3g |", line.name.c_str(), line.count,
                  line.total / static_cast<double>(line.count), line.largest);
      if (with_place) std::printf(" %.5g |", static_cast<double>(line.place));
      const bool keeps = line.largest <= line.most;
      std::printf(" %g |%s\n", line.most, keeps ? "" : "  ** EXCEEDED **");
      kept = kept && keeps;
    }
    std::printf("\n");
    return kept && !lines_.empty();
  }

 private:
  struct Line {
    std::string name;
    double most, largest = 0, total = 0;
    long long count = 0;
    Real place = 0;
  };
  std::vector<Line> lines_;
  std::size_t current_ = 0;
};

/// Normal numbers times `size`.
inline Tensor numbers(const Shape& shape, Random random, double size = 1) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = static_cast<Real>(size * random.normal());
  return x;
}

void measure_functions(Report& values, Report& slopes);
void measure_rows(Report& report);
void measure_products(Report& report);
void measure_attention(Report& report);
void measure_steps(Report& report);

}  // namespace gradual
