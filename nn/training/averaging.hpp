// Averages of parameters over the steps of training, which often serve better than the last of them.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/module.hpp>

namespace gradual {

/// Tensors, each with its name.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// The one of a name; null where there is none.
const Tensor* find_tensor(const NamedTensors& tensors, const std::string& name);

/// The values of parameters, with their names.
NamedTensors values_of(const std::vector<NamedParameter>& parameters);

/// a ← decay·a + (1 - decay)·p after each step, where decay rises to its value as (1 + t) / (10 + t), so that
/// the first steps are soon forgotten (Polyak and Juditsky 1992; Szegedy et al. 2016).
class ExponentialAverage {
 public:
  /// Throws std::invalid_argument unless 0 ≤ decay < 1.
  ExponentialAverage(std::vector<NamedParameter> parameters, double decay);
  /// Takes in the parameters as they are after step `step`, counted from 1.
  void update(Index step);
  /// The averages, by the parameters' names.
  const NamedTensors& values() const { return values_; }
  /// Goes on from values() of before. Throws std::invalid_argument when a name or shape does not fit.
  void set_values(const NamedTensors& values);

 private:
  std::vector<NamedParameter> parameters_;
  double decay_;
  NamedTensors values_;
};

/// The mean of the tensors of like names in safetensors files (checkpoint averaging; Vaswani et al. 2017,
/// §6.1). Throws FileError where a file cannot be read or has other names or shapes than the first.
NamedTensors mean_of_files(const std::vector<std::string>& paths);

/// The last few of the models that a run leaves on its way, in files whose numbers come round again.
class Snapshots {
 public:
  /// `count` of them, one after every `every` steps; `path` names the file of a number from 0 to count - 1.
  /// None at all where `count` is 0. Throws std::invalid_argument for a count below 0, and for an `every`
  /// below 1 where there are some.
  Snapshots(Index count, Index every, std::function<std::string(Index number)> path);
  /// Whether a snapshot belongs to this step.
  bool is_due(Index step) const { return count_ > 0 && step % every_ == 0; }
  /// The file of the snapshot after a step that is due.
  std::string path(Index step) const { return path_(step / every_ % count_); }
  /// The steps whose snapshots there are after a step, the oldest first, and their files.
  std::vector<Index> steps(Index step) const;
  std::vector<std::string> latest(Index step) const;

 private:
  Index count_, every_;
  std::function<std::string(Index number)> path_;
};

/// Gives parameters other values for as long as it lives.
class BorrowedValues {
 public:
  /// Throws what set_parameters throws.
  BorrowedValues(std::vector<NamedParameter> parameters, const NamedTensors& values);
  ~BorrowedValues();
  BorrowedValues(const BorrowedValues&) = delete;
  BorrowedValues& operator=(const BorrowedValues&) = delete;
  /// The values that they had before, and get back.
  const NamedTensors& own() const { return own_; }

 private:
  std::vector<NamedParameter> parameters_;
  NamedTensors own_;
};

}  // namespace gradual
