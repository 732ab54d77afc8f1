// The checker, the profiler and drawings of autograd/.
#include <string>

#include <gradual/autograd/gradient_check.hpp>
#include <gradual/autograd/graph_drawing.hpp>
#include <gradual/autograd/operations.hpp>
#include <gradual/autograd/profiler.hpp>

#include "hostile/drive.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

const Header checker =
    Header("autograd/gradient_check.hpp")
        .drives(
            "check_gradients|value",
            [](Var x, double step, double tolerance, Index samples) {
              const Var parameter = fresh(x);
              const auto wrong = [=] {
                return record(
                    "wrong", Tensor::scalar(parameter.size() > 0 ? 2 * parameter.value().data()[0] : 0),
                    {{parameter, [=](const Tensor&) { return Tensor::full(parameter.shape(), -7); }}});
              };
              GradientCheckOptions options;
              options.step = step;
              options.tolerance = tolerance;
              options.samples = samples;
              return bool(check_gradients(wrong, {{"x", parameter}}, options));
            },
            std::tuple(weight, 0.0, 0.0, Index(0)), [](Var, double, double, Index) { return false; })
        .drives(
            "GradientCheck::operatorbool", [] { return bool(GradientCheck()); }, std::tuple())
        .drives(
            "GradientCheck::to_string", [] { return GradientCheck().to_string(); }, std::tuple())
        .drives(
            "operator<<", [] { return text(GradientCheck()); }, std::tuple(),
            [] { return GradientCheck().to_string(); })
        .drives(
            "weighted_sum|value|mul|sum",
            [](Var x, std::uint64_t seed) { return slopes(weighted_sum(x, seed), {x}).size(); },
            std::tuple(weight, std::uint64_t(1)));

const Header profiler =
    Header("autograd/profiler.hpp")
        .drives(
            "Profiler::Profiler", [] { return Profiler().operations().size(); }, std::tuple(),
            [] { return 0; })
        .drives(
            "Profiler::steady_seconds",
            [] { return Profiler::steady_seconds() <= Profiler::steady_seconds(); }, std::tuple(),
            [] { return true; })
        .drives(
            "Profiler::current", [] { return Profiler::current() == nullptr; }, std::tuple(),
            [] { return true; })
        .drives(
            "Profiler::mark", [] { Profiler::mark("nobody looks"); }, std::tuple())
        .drives(
            "Profiler::add_forward",
            [](double bytes) {
              Profiler profile;
              profile.add_forward("x", bytes);
              return profile.operations()[0].forward.bytes;
            },
            std::tuple(1.0), [](double bytes) { return bytes; })
        .drives(
            "Profiler::add_backward",
            [](double bytes) {
              Profiler profile;
              profile.add_backward("x", bytes);
              return profile.operations()[0].backward.bytes;
            },
            std::tuple(1.0), [](double bytes) { return bytes; })
        .drives(
            "Profiler::operations", [] { return Profiler().operations().size(); }, std::tuple(),
            [] { return 0; })
        .drives(
            "profile_table",
            [](std::string name, double figure, double limit, Index steps) {
              const ProfiledWork work{1, figure, figure, figure};
              return profile_table({{name, work, work}}, {limit, limit}, steps).size() > 50;
            },
            std::tuple(std::string("x"), 1.0, 1.0, Index(1)),
            [](std::string, double, double, Index) { return true; });

const Header drawing =
    Header("autograd/graph_drawing.hpp")
        .drives(
            "graph_as_dot", [](Var x, std::string title) { return graph_as_dot(x, title); },
            std::tuple(weight, std::string("a graph")));

}  // namespace
