// How a run went, from a few looks on the way.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/drawing/line_chart.hpp>
#include <gradual/nn/training/trainer.hpp>

namespace gradual {

/// The loss, and a figure that says how well the model does, after some of the steps.
class LearningCurve {
 public:
  /// Where training stood when it was looked at.
  struct Point {
    Index step;
    double loss;     ///< mean since the point before
    double figure;   ///< such as the share of test examples that are right
    double seconds;  ///< of the steps so far of this run, without looks
    /// Of all threads together, since follow() without looks: other programs on the machine change it little.
    double processor_seconds = 0;
  };

  /// Looks at a figure n times while `trainer` runs, evenly, at last after the last step; `seen`, unless
  /// empty, hears of each look. The curve must stay where it is until the run ends.
  void follow(Trainer& trainer, Index n, std::function<double()> figure,
              std::function<void(const Point&)> seen = {});

  const std::vector<Point>& points() const { return points_; }
  /// The last ones; 0 before there is any.
  double figure() const { return points_.empty() ? 0 : points_.back().figure; }
  /// How long training took.
  double seconds() const { return points_.empty() ? 0 : points_.back().seconds; }
  double processor_seconds() const { return points_.empty() ? 0 : points_.back().processor_seconds; }
  /// 10⁹ floating-point operations in the matrix products of a step, on average.
  double gflop_a_step() const { return gflop_a_step_; }

  /// The curves over the steps; figures times `scale`, such as 100 for per cent.
  Series losses(std::string name = "loss") const;
  Series figures(std::string name, double scale = 1) const;

 private:
  Series series(std::string name, double Point::*number, double scale) const;

  std::vector<Point> points_;
  double gflop_a_step_ = 0;
};

}  // namespace gradual
