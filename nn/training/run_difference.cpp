#include <gradual/nn/training/run_difference.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/config_lines.hpp>

namespace gradual {
namespace {

std::map<std::string, std::string> by_name(const std::string& settings) {
  std::map<std::string, std::string> values;
  for (const ConfigLine& line : lines_of(settings)) values[line.key] = line.value;
  values.erase("out");
  return values;
}

bool are_equal(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

std::vector<SettingDifference> setting_differences(const std::string& first, const std::string& second) {
  auto a = by_name(first), b = by_name(second);
  std::map<std::string, std::string> both = a;
  both.insert(b.begin(), b.end());
  std::vector<SettingDifference> differences;
  for (const auto& each : both)
    if (a[each.first] != b[each.first]) differences.push_back({each.first, a[each.first], b[each.first]});
  return differences;
}

std::optional<LogDifference> log_difference(const std::vector<TrainingPoint>& first,
                                            const std::vector<TrainingPoint>& second) {
  static const std::vector<std::pair<const char*, double TrainingPoint::*>> numbers = {
      {"loss", &TrainingPoint::loss},
      {"gradient norm", &TrainingPoint::gradient_norm},
      {"learning rate", &TrainingPoint::learning_rate}};
  const std::size_t both = std::min(first.size(), second.size());
  for (std::size_t i = 0; i < both; ++i)
    for (const auto& [name, number] : numbers)
      if (!are_equal(first[i].*number, second[i].*number))
        return LogDifference{first[i].step, name, first[i].*number, second[i].*number};
  if (first.size() == second.size()) return std::nullopt;
  const auto last = [](const std::vector<TrainingPoint>& points) {
    return points.empty() ? 0.0 : static_cast<double>(points.back().step);
  };
  return LogDifference{static_cast<Index>(both) + 1, "end", last(first), last(second)};
}

std::string RunDifference::text() const {
  const auto value = [](const std::string& written) { return written.empty() ? "not set" : written; };
  if (is_none()) return "the runs are the same\n";
  std::string lines;
  for (const SettingDifference& each : settings)
    lines += "setting: " + each.name + " is " + value(each.first) + " and " + value(each.second) + "\n";
  if (!log)
    lines += "log: all steps are the same\n";
  else if (log->number == "end")
    lines += gradual::text("log: the steps that both have are the same; there are ", log->first, " and ",
                           log->second, "\n");
  else
    lines += gradual::text("log: the first difference is in step ", log->step, ": the ", log->number, " is ",
                           log->first, " and ", log->second, "\n");
  return lines + (tensor ? "tensor: " + tensor->text + "\n" : "");
}

}  // namespace gradual
