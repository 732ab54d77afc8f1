#include <gradual/nn/training/learning_curve.hpp>

#include <ctime>
#include <utility>

namespace gradual {
namespace {

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

void LearningCurve::follow(Trainer& trainer, Index n, std::function<double()> figure,
                           std::function<void(const Point&)> seen) {
  trainer.times(n, [this, figure = std::move(figure), seen = std::move(seen),
                    start = processor_time()](const TrainingStep& now) mutable {
    const double reached = processor_time() - start;
    gflop_a_step_ = 1e-9 * static_cast<double>(now.floating_points) / static_cast<double>(now.steps_of_run);
    points_.push_back({now.step, now.loss, figure(), now.seconds, reached});
    if (seen) seen(points_.back());
    start = processor_time() - reached;
  });
}

Series LearningCurve::losses(std::string name) const { return series(std::move(name), &Point::loss, 1); }

Series LearningCurve::figures(std::string name, double scale) const {
  return series(std::move(name), &Point::figure, scale);
}

Series LearningCurve::series(std::string name, double Point::*number, double scale) const {
  Series series{std::move(name), {}, {}};
  for (const Point& point : points_) {
    series.x.push_back(static_cast<double>(point.step));
    series.y.push_back(scale * (point.*number));
  }
  return series;
}

}  // namespace gradual
