#include <gradual/nn/training/averaging.hpp>

#include <cmath>

#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/training/patience.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

const std::vector<NamedParameter> one_number(Real value) {
  return {{"p", Var::parameter(Tensor({1}, {value}))}};
}

void move_to(const std::vector<NamedParameter>& parameters, Real value) {
  set_parameters(parameters, {{"p", Tensor({1}, {value})}});
}

}  // namespace

TEST_CASE("exponential average: each step takes in its share, a large one at first") {
  const auto parameters = one_number(1);
  ExponentialAverage average(parameters, 0.3);
  move_to(parameters, 2);
  average.update(1);  // decay (1 + 1) / (10 + 1) = 2/11
  CHECK(average.values()[0].second.item() == Approx(2.0 / 11 + 2 * 9.0 / 11));
  const double before = 20.0 / 11;
  move_to(parameters, 5);
  average.update(1000);  // decay 0.3
  CHECK(average.values()[0].second.item() == Approx(0.3 * before + 0.7 * 5));
  CHECK(parameters[0].variable.value().item() == 5);  // the parameters themselves stay
}

TEST_CASE("exponential average: it goes on from what was stored, and refuses what does not fit") {
  const auto parameters = one_number(1);
  ExponentialAverage average(parameters, 0.5);
  average.set_values({{"p", Tensor({1}, {7})}});
  average.update(1000000);
  CHECK(average.values()[0].second.item() == Approx(4));
  CHECK_THROWS_WITH(average.set_values({{"p", Tensor({2}, {7, 7})}}), Contains("\"p\" of shape [1]"));
  CHECK_THROWS_WITH(ExponentialAverage(parameters, 1), Contains("[0, 1): got 1"));
}

TEST_CASE("averaging: the mean of files is the mean of their tensors, and files that differ are refused") {
  const TestFolder folder;
  const std::vector<Real> values = {1, 2, 6};
  std::vector<std::string> paths;
  for (const Real value : values) {
    TensorFile file;
    file.tensors = {{"a", Tensor({2}, {value, -value})}, {"b", Tensor({1}, {10 * value})}};
    paths.push_back(folder / std::to_string(paths.size()));
    save_tensors(paths.back(), file);
  }
  const NamedTensors mean = mean_of_files(paths);
  CHECK(mean[0].second.data()[0] == Approx(3));
  CHECK(mean[0].second.data()[1] == Approx(-3));
  CHECK(mean[1].second.item() == Approx(30));
  TensorFile other;
  other.tensors = {{"a", Tensor({1}, {0})}, {"b", Tensor({1}, {0})}};
  save_tensors(paths[1], other);
  CHECK_THROWS_WITH(mean_of_files(paths), Contains(paths[1]) && Contains("other tensors than " + paths[0]));
}

TEST_CASE("snapshots: the last few are kept, under numbers that come round again") {
  const Snapshots snapshots(3, 10, [](Index number) { return std::to_string(number); });
  CHECK(snapshots.is_due(20));
  CHECK_FALSE(snapshots.is_due(25));
  CHECK(snapshots.latest(9).empty());
  CHECK(snapshots.latest(25) == std::vector<std::string>{"1", "2"});
  CHECK(snapshots.latest(50) == std::vector<std::string>{"0", "1", "2"});  // of steps 30, 40, 50
  CHECK(snapshots.latest(69) == std::vector<std::string>{"1", "2", "0"});
  CHECK(snapshots.path(60) == "0");
  CHECK(snapshots.steps(50) == std::vector<Index>{30, 40, 50});
  const Snapshots none(0, 10, [](Index) { return "no"; });
  CHECK_FALSE(none.is_due(10));
  CHECK(none.latest(100).empty());
}

TEST_CASE("snapshots: without a distance between them there are none to keep") {
  const auto named = [](Index number) { return std::to_string(number); };
  CHECK_THROWS_WITH(Snapshots(5, 0, named),
                    "snapshots: there must be 0 or more, and a step at least between two: got 5, every 0");
  CHECK_THROWS_AS(Snapshots(-1, 10, named), std::invalid_argument);
  CHECK_NOTHROW(Snapshots(0, 0, named));
}

TEST_CASE("borrowed values: parameters have them while it lives, and their own again afterwards") {
  const auto parameters = one_number(1);
  {
    const BorrowedValues borrowed(parameters, {{"p", Tensor({1}, {9})}});
    CHECK(parameters[0].variable.value().item() == 9);
  }
  CHECK(parameters[0].variable.value().item() == 1);
}

TEST_CASE("patience: it counts how often in a row there was no new best") {
  Patience patience;
  CHECK(patience.improves(3));
  CHECK_FALSE(patience.improves(3));
  CHECK_FALSE(patience.improves(4));
  CHECK(patience.since_best() == 2);
  CHECK(patience.improves(2.5));
  CHECK(patience.since_best() == 0);
  CHECK(patience.best() == 2.5);
  for (const Real none : {-INFINITY, INFINITY, NAN}) CHECK_FALSE(patience.improves(none));
  CHECK(patience.best() == 2.5);
}
