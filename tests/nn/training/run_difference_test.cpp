#include <gradual/nn/training/run_difference.hpp>

#include <cmath>

#include "support/catch.hpp"

using namespace gradual;

namespace {

std::vector<TrainingPoint> three_steps(double last_loss, double last_norm = 1) {
  return {{1, 5, 0, 1e-3}, {2, 4, 0, 2e-3}, {3, last_loss, 0, 3e-3, TrainingPoint::not_measured, last_norm}};
}

}  // namespace

TEST_CASE("run difference: settings by their names, whatever their order, but for the folder") {
  const auto found =
      setting_differences("seed = 1\nout = a\nwidth = 32\n", "width = 64\nout = b\nema = 0.9\nseed = 1\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "ema");
  CHECK(found[0].first.empty());
  CHECK(found[0].second == "0.9");
  CHECK(found[1].name == "width");
}

TEST_CASE("run difference: settings are compared as they are meant, not as they are written") {
  CHECK(setting_differences("a = 3e-3\nb = yes\nc = false\nd = 020.50\n", "a = 0.003\nb = true\nd = 20.5\n")
            .empty());
  CHECK(setting_differences("a = 0.003\nb = yes\nd = x\n", "a = 0.0031\nd = y\n").size() == 3);
  CHECK(setting_differences("seed = 9007199254740992\n", "seed = 9007199254740993\n").size() ==
        1);  // 2^53 and 1 more
  CHECK(setting_differences("seed = 9007199254740992\n", "seed = 0009007199254740992\n").empty());
  CHECK(setting_differences("seed = 0\n", "seed = 0000000000000000\n").empty());
}

TEST_CASE("run difference: the first step and number of two logs, to the last bit") {
  CHECK_FALSE(log_difference(three_steps(3), three_steps(3)).has_value());
  const auto loss = log_difference(three_steps(3), three_steps(std::nextafter(3.0, 4.0)));
  REQUIRE(loss.has_value());
  CHECK(loss->step == 3);
  CHECK(loss->number == "loss");
  CHECK(log_difference(three_steps(3, 1), three_steps(3, 2))->number == "gradient norm");
  std::vector<TrainingPoint> shorter = three_steps(3);
  shorter.pop_back();
  const auto end = log_difference(three_steps(3), shorter);
  CHECK(end->number == "end");
  CHECK(end->first == 3);
  CHECK(end->second == 2);
}

TEST_CASE("run difference: as text") {
  CHECK(RunDifference{}.text() == "the runs are the same\n");
  const RunDifference found{
      {{"ema", "", "0.9"}}, LogDifference{7, "loss", 1.5, 2}, TraceDifference{6, "x", "step 6, x"}};
  CHECK(found.text() ==
        "setting: ema is not set and 0.9\n"
        "log: the first difference is in step 7: the loss is 1.5 and 2\n"
        "tensor: step 6, x\n");
  RunDifference other;
  other.of_other_text = true;
  other.not_compared = "why";
  CHECK_FALSE(other.is_none());
  CHECK(other.text() ==
        "text: the sentences of the two, or how they are cut, are not the same\n"
        "log: all steps are the same\n"
        "tensor: none was looked for: why\n");
}
