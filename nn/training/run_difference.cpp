#include <gradual/nn/training/run_difference.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <map>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/files/config_lines.hpp>

namespace gradual {
namespace {

// A value as it is meant: a number or a flag may be written in several ways, and a flag that is off be left
// out.
std::string meaning(const std::string& value) {
  for (const char* each : {"true", "on", "yes"})
    if (value == each) return "true";
  for (const char* each : {"false", "off", "no"})
    if (value == each) return "";
  // A double does not tell seeds above 2^53 apart.
  if (value.find_first_not_of("0123456789") == std::string::npos && value.size() > 15)
    return value.substr(std::min(value.find_first_not_of('0'), value.size() - 1));
  char* rest = nullptr;
  const double number = std::strtod(value.c_str(), &rest);
  return value.empty() || *rest != '\0' ? value : text(std::setprecision(17), number);
}

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
    if (meaning(a[each.first]) != meaning(b[each.first]))
      differences.push_back({each.first, a[each.first], b[each.first]});
  return differences;
}

std::string value_or_not_set(const std::string& value) { return value.empty() ? "not set" : value; }

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
  if (is_none()) return "the runs are the same\n";
  std::string lines;
  for (const SettingDifference& each : settings)
    lines += "setting: " + each.name + " is " + value_or_not_set(each.first) + " and " +
             value_or_not_set(each.second) + "\n";
  if (of_other_text) lines += "text: the sentences of the two, or how they are cut, are not the same\n";
  if (!log)
    lines += "log: all steps are the same\n";
  else if (log->number == "end")
    lines += gradual::text("log: the steps that both have are the same; there are ", log->first, " and ",
                           log->second, "\n");
  else
    lines += gradual::text("log: the first difference is in step ", log->step, ": the ", log->number, " is ",
                           log->first, " and ", log->second, "\n");
  if (tensor) lines += "tensor: " + tensor->text + "\n";
  return lines + (not_compared.empty() ? "" : "tensor: none was looked for: " + not_compared + "\n");
}

}  // namespace gradual
