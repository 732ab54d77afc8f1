#include <gradual/nn/training/run_log.hpp>

#include <cmath>
#include <limits>

#include <gradual/core/error.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("training log: it keeps what the file has up to a step, and goes on from there") {
  const TestFolder folder;
  const std::string path = folder / "log.jsonl";
  for (const Index kept : {0, 3}) {
    TrainingLog log(path, kept);
    for (Index step = kept + 1; step <= 5; ++step)
      log.add({step, 10.0 * static_cast<double>(step), 100, 0.5, 1, 1, 1});
    const std::vector<TrainingPoint> points = log.points();
    REQUIRE(points.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(points[i].step == static_cast<Index>(i) + 1);
      CHECK(points[i].loss == 10.0 * static_cast<double>(i + 1));
    }
    CHECK(log.recent_loss() == 30);
  }
}

TEST_CASE(
    "training log: the recent loss is the mean of the last fifty, those before an interruption among them") {
  const TestFolder folder;
  const std::string path = folder / "log.jsonl";
  CHECK(TrainingLog(path, 0).recent_loss() == 0);
  {
    TrainingLog log(path, 0);
    for (Index step = 1; step <= 60; ++step) log.add({step, static_cast<double>(step), 100, 0.5, 1, 1, 1});
    CHECK(log.recent_loss() == Approx(35.5));  // of 11 … 60
  }
  TrainingLog log(path, 60);
  log.add({61, 110.0, 100, 0.5, 1, 1, 1});
  CHECK(log.recent_loss() == Approx(37.48));  // of 12 … 60 and 110
}

TEST_CASE("training log: what is infinite or not a number comes back as what was not measured") {
  const TestFolder folder;
  const std::string path = folder / "log.jsonl";
  const double infinite = std::numeric_limits<double>::infinity();
  {
    TrainingLog log(path, 0);
    log.add({1, 2.5, 100, 0.5, infinite, TrainingPoint::not_measured, 1});
    log.add({2, infinite, 100, 0.5, 1, 1, 1});
  }
  const std::vector<TrainingPoint> points = TrainingLog(path, 2).points();
  REQUIRE(points.size() == 2);
  CHECK(points[0].loss == 2.5);
  CHECK(std::isnan(points[0].gradient_norm));
  CHECK(std::isnan(points[0].validation_loss));
  CHECK(std::isnan(points[1].loss));
}
