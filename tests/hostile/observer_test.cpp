// core/elements/finite.hpp, autograd/observer.hpp and autograd/anomaly.hpp: who watches a computation.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include <gradual/autograd/anomaly.hpp>
#include <gradual/autograd/operations.hpp>
#include <gradual/core/elements/finite.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

bool is_finite(const Tensor& x) {
  return std::all_of(x.begin(), x.end(), [](Real v) { return std::isfinite(v); });
}
std::vector<Index> counted(const Tensor& x) {
  std::vector<Index> counts(4, 0);
  for (Real v : x) ++counts[std::isfinite(v) ? 0 : std::isnan(v) ? 1 : v > 0 ? 2 : 3];
  return counts;
}

const Header finite =
    Header("core/elements/finite.hpp")
        .drives(
            "all_finite", [](Tensor x) { return all_finite(x); }, std::tuple(six), is_finite)
        .drives(
            "number_kinds",
            [](Tensor x) {
              const NumberKinds kinds = number_kinds(x);
              return std::vector<Index>{kinds.finite, kinds.nan, kinds.infinite, kinds.minus_infinite};
            },
            std::tuple(six), counted)
        .drives(
            "operator<<|number_kinds",
            [](Tensor x) {
              std::ostringstream words;
              words << number_kinds(x);
              return words.str().find("NaN") != std::string::npos;
            },
            std::tuple(six), [](Tensor x) { return counted(x)[1] > 0; });

// Counts what it is told of.
struct Counter : GraphObserver {
  Index forwards = 0, walks = 0, backwards = 0, passed = 0;
  void forward(const char*, const Var&, const std::vector<Var>&) override { ++forwards; }
  void backward_begins(const Tensor&) override { ++walks; }
  void backward(const Node&, const Tensor&) override { ++backwards; }
  void passed_back(const Node&) override { ++passed; }
};
// Puts what it was given in the place of each result.
struct Instead : GraphObserver {
  explicit Instead(Tensor numbers) : other(std::move(numbers)) {}
  Tensor instead_of(const Var&) override { return other; }
  Tensor other;
};
// Of one operation, and of the walk back over it.
std::vector<Index> told(const Var& x) {
  Counter counter;
  const Var y = 2 * x;
  if (y.requires_grad()) backward(y, Tensor::ones(y.shape()));
  return {counter.forwards, counter.walks, counter.backwards, counter.passed};
}
std::vector<Index> told_plainly(Var x) {
  const Index back = x.requires_grad() ? 1 : 0;
  return {1, back, back, back};
}

const Header observer =
    Header("autograd/observer.hpp")
        .drives(
            "GraphObserver::GraphObserver", [](Index) { return Counter().forwards; }, std::tuple(Index(1)),
            [](Index) { return 0; })
        .drives(
            "GraphObserver::forward|multiply|value", [](Var x) { return told(fresh(x)); }, std::tuple(weight),
            told_plainly)
        .drives(
            "GraphObserver::backward_begins|multiply|value", [](Var x) { return told(fresh(x)); },
            std::tuple(weight), told_plainly)
        .drives(
            "GraphObserver::backward|multiply|value", [](Var x) { return told(fresh(x)); },
            std::tuple(weight), told_plainly)
        .drives(
            "GraphObserver::passed_back|multiply|value", [](Var x) { return told(fresh(x)); },
            std::tuple(weight), told_plainly)
        .drives(
            "GraphObserver::instead_of|multiply|value|mul",
            [](Var x, Tensor other) {
              const Instead instead(other);
              return (2 * x).value();
            },
            std::tuple(weight, six),
            [](Var x, Tensor other) { return other.defined() ? other : 2 * x.value(); })
        .drives(
            "GraphObserver::listening",
            [](bool one) {
              if (!one) return GraphObserver::listening();
              const Counter counter;
              return GraphObserver::listening();
            },
            std::tuple(true), [](bool one) { return one; })
        .drives(
            "Telling::Telling",
            [](bool one) {
              const Counter counter;
              if (!one) return GraphObserver::listening();
              const Telling telling;  // to itself it tells nothing
              return GraphObserver::listening();
            },
            std::tuple(true), [](bool one) { return !one; })
        .drives(
            "Telling::chosen|value", [](Var y) { return Telling().chosen("log", y).value(); },
            std::tuple(weight), [](Var y) { return y.value(); })
        .drives(
            "Telling::all",
            [](Index times) {
              Counter counter;
              const Node node("made", {1});
              for (Index i = 0; i < std::min(times, Index(9)); ++i)
                Telling().all(&GraphObserver::passed_back, node);
              return counter.passed;
            },
            std::tuple(Index(2)), [](Index times) { return std::clamp(times, Index(0), Index(9)); });

// Whether something is said of twice x, or of its gradient.
bool is_anomaly(const Var& x, const Tensor& seed) {
  const AnomalyDetection detection;
  try {
    const Var y = 2 * x;
    if (y.requires_grad()) backward(y, seed.defined() ? seed : Tensor::ones(y.shape()));
  } catch (const AnomalyError&) {
    return true;
  }
  return false;
}
bool has(const Tensor& x, bool (*kind)(double)) {
  return std::any_of(x.begin(), x.end(), [&](Real v) { return kind(v); });
}
bool is_nan(double v) { return std::isnan(v); }
bool is_infinite(double v) { return std::isinf(v); }
// A parameter may be neither; a constant may be infinite, as a mask is.
bool is_anomaly_plainly(Var x) {
  return has(x.value(), is_nan) || (x.requires_grad() && has(x.value(), is_infinite));
}

const Header anomaly =
    Header("autograd/anomaly.hpp")
        .drives(
            "AnomalyError::AnomalyError",
            [](std::string words) {
              return std::string(AnomalyError(AnomalyError::Pass::forward, "log", words).what());
            },
            std::tuple(std::string("no number")),
            [](std::string words) { return std::string(words.c_str()); })
        .drives(
            "AnomalyDetection::forward|multiply|value", [](Var x) { return is_anomaly(fresh(x), Tensor()); },
            std::tuple(weight), is_anomaly_plainly)
        .drives(
            "AnomalyDetection::backward|multiply|value", [](Var x) { return is_anomaly(fresh(x), Tensor()); },
            std::tuple(weight), is_anomaly_plainly)
        .drives(
            "AnomalyDetection::backward_begins|backward",
            [](Tensor seed) { return is_anomaly(Var::parameter(six), seed); }, std::tuple(six),
            [](Tensor seed) { return seed.defined() && !is_finite(seed); })
        .drives(
            "AnomalyDetection::passed_back|multiply|value",
            [](Var x) { return is_anomaly(fresh(x), Tensor()); }, std::tuple(weight), is_anomaly_plainly);

}  // namespace
