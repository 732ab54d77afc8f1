#include <gradual/nn/training/averaging.hpp>

#include <algorithm>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// a ← keep·a + take·b
void blend(Tensor& a, const Tensor& b, Real keep, Real take) {
  Real* to = a.unguarded_data();
  const Real* from = b.data();
  parallel_elements(a.size(), [=](Index first, Index last) {
    for (Index i = first; i < last; ++i) to[i] = keep * to[i] + take * from[i];
  });
}

}  // namespace

const Tensor* find_tensor(const NamedTensors& tensors, const std::string& name) {
  for (const auto& [each, tensor] : tensors)
    if (each == name) return &tensor;
  return nullptr;
}

NamedTensors values_of(const std::vector<NamedParameter>& parameters) {
  NamedTensors values;
  for (const NamedParameter& parameter : parameters)
    values.emplace_back(parameter.name, parameter.variable.value());
  return values;
}

ExponentialAverage::ExponentialAverage(std::vector<NamedParameter> parameters, double decay)
    : parameters_(std::move(parameters)), decay_(decay) {
  if (!(decay >= 0 && decay < 1))
    throw std::invalid_argument(text("exponential average: the decay must lie in [0, 1): got ", decay));
  values_ = values_of(parameters_);
}

void ExponentialAverage::update(Index step) {
  const auto t = static_cast<double>(step);
  const auto keep = static_cast<Real>(std::min(decay_, (1 + t) / (10 + t)));
  for (std::size_t i = 0; i < values_.size(); ++i)
    blend(values_[i].second, parameters_[i].variable.value(), keep, 1 - keep);
}

void ExponentialAverage::set_values(const NamedTensors& values) {
  for (auto& [name, value] : values_) {
    const Tensor* const found = find_tensor(values, name);
    if (!found || found->shape() != value.shape())
      throw std::invalid_argument("exponential average: there must be a tensor \"" + name + "\" of shape " +
                                  text(value.shape()));
    value = *found;
  }
}

NamedTensors mean_of_files(const std::vector<std::string>& paths) {
  NamedTensors mean;
  const Real share = 1 / static_cast<Real>(paths.size());
  for (const std::string& path : paths) {
    const TensorFile file = load_tensors(path);
    if (mean.empty())
      for (const auto& [name, tensor] : file.tensors) mean.emplace_back(name, Tensor::zeros(tensor.shape()));
    bool fits = file.tensors.size() == mean.size();
    for (std::size_t i = 0; fits && i < mean.size(); ++i)
      fits =
          file.tensors[i].first == mean[i].first && file.tensors[i].second.shape() == mean[i].second.shape();
    if (!fits) throw FileError(path, "holds other tensors than " + paths.front());
    for (std::size_t i = 0; i < mean.size(); ++i) blend(mean[i].second, file.tensors[i].second, 1, share);
  }
  return mean;
}

Snapshots::Snapshots(Index count, Index every, std::function<std::string(Index number)> path)
    : count_(count), every_(every), path_(std::move(path)) {
  if (count < 0 || (count > 0 && every < 1))
    throw std::invalid_argument(
        text("snapshots: there must be 0 or more, and a step at least between two: got ", count, ", every ",
             every));
}

std::vector<Index> Snapshots::steps(Index step) const {
  std::vector<Index> found;
  if (count_ == 0) return found;
  const Index made = step / every_;
  for (Index n = std::max<Index>(made - count_ + 1, 1); n <= made; ++n) found.push_back(n * every_);
  return found;
}

std::vector<std::string> Snapshots::latest(Index step) const {
  std::vector<std::string> paths;
  for (const Index each : steps(step)) paths.push_back(path(each));
  return paths;
}

BorrowedValues::BorrowedValues(std::vector<NamedParameter> parameters, const NamedTensors& values)
    : parameters_(std::move(parameters)), own_(values_of(parameters_)) {
  set_parameters(parameters_, values);
}

BorrowedValues::~BorrowedValues() { set_parameters(parameters_, own_); }

}  // namespace gradual
