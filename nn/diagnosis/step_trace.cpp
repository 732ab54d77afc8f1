#include <gradual/nn/diagnosis/step_trace.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/diagnosis/trace.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/fnv.hpp>
#include <gradual/nn/json.hpp>

namespace gradual {
namespace {

TensorTrace trace_of(std::string name, const Tensor& x) {
  Fnv checksum;
  double sum = 0;
  for (const Real each : x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &each, sizeof each);
    checksum.add(bits);
    sum += std::abs(static_cast<double>(each));
  }
  return {std::move(name), checksum.sum, x.size() > 0 ? sum / static_cast<double>(x.size()) : 0};
}

std::string difference(const TensorTrace& first, const TensorTrace& second) {
  if (first.name != second.name) return first.name + " in the first run, " + second.name + " in the second";
  return text(first.name, ": its numbers are of size ", short_text(first.size, 6), " and ",
              short_text(second.size, 6), " in the mean",
              first.size == second.size ? "; only their bits differ" : "");
}

}  // namespace

void StepTracer::forward(const char* operation, const Var& y, const std::vector<Var>& inputs) {
  for (const Var& input : inputs)
    if (input.requires_grad() && input.node()->is_parameter()) computed_.layer = layer_of(input.node()->name);
  const std::string name = text(operation, " (operation ", ++computed_.operations, ", ", y.shape(),
                                computed_.layer.empty() ? "" : ", in " + computed_.layer, ")");
  if (y.node()) computed_.names[y.node()->number] = name;
  computed_.tensors.push_back(trace_of("forward: " + name, y.value()));
}

void StepTracer::backward(const Node& node, const Tensor& dy) {
  const auto found = computed_.names.find(node.number);
  computed_.tensors.push_back(trace_of(
      "backward: the gradient of " + (found == computed_.names.end() ? node.operation : found->second), dy));
}

StepTrace StepTracer::finish(Index step, const std::vector<NamedParameter>& parameters) {
  StepTrace trace{step, std::move(computed_.tensors)};
  for (const NamedParameter& each : parameters)
    trace.tensors.push_back(
        trace_of((step == 0 ? "begin: " : "update: ") + each.name, each.variable.value()));
  computed_ = {};
  return trace;
}

std::string StepTrace::line() const {
  Json json = {{"step", step}, {"tensors", Json::array()}};
  for (const TensorTrace& each : tensors) json["tensors"].push_back({each.name, each.checksum, each.size});
  return clean_json_text(json);
}

StepTrace StepTrace::from_line(const std::string& line) {
  const auto json = json_of(line);
  StepTrace trace{json.at("step").get<Index>(), {}};
  for (const auto& each : json.at("tensors"))
    trace.tensors.push_back({each.at(0), each.at(1), number_or_nan(each.at(2))});
  return trace;
}

std::vector<StepTrace> read_step_traces(const std::string& path) {
  std::vector<StepTrace> traces;
  std::ifstream file(path_of(path));
  for (std::string line;
       std::getline(file, line) && !file.eof();) {  // one without an end was not written whole
    try {
      traces.push_back(StepTrace::from_line(line));
    } catch (const std::exception&) {
      throw FileError::at_line(path, static_cast<std::int64_t>(traces.size()) + 1,
                               "damaged: this is no line that a run wrote");
    }
  }
  return traces;
}

std::optional<TraceDifference> trace_difference(const std::vector<StepTrace>& first,
                                                const std::vector<StepTrace>& second) {
  for (const StepTrace& one : first) {
    const auto other = std::find_if(second.begin(), second.end(),
                                    [&](const StepTrace& each) { return each.step == one.step; });
    if (other == second.end()) continue;
    const std::size_t both = std::min(one.tensors.size(), other->tensors.size());
    for (std::size_t i = 0; i < both; ++i) {
      const TensorTrace &a = one.tensors[i], &b = other->tensors[i];
      if (a.name == b.name && a.checksum == b.checksum) continue;
      return TraceDifference{one.step, a.name, text("step ", one.step, ", ", difference(a, b))};
    }
    if (one.tensors.size() == other->tensors.size()) continue;
    const bool first_is_longer = one.tensors.size() > both;
    const std::string& name = (first_is_longer ? one : *other).tensors[both].name;
    return TraceDifference{one.step, name,
                           text("step ", one.step, ", ", name, " is in the ",
                                first_is_longer ? "first" : "second", " run alone")};
  }
  return std::nullopt;
}

}  // namespace gradual
