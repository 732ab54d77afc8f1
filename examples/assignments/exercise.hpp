// What the cases.cpp of an assignment says of each of its parts: what goes in, and how the student's function
// is called. The judge and the probe are both made of it; the judge has the library's function, the probe the
// student's.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/files/safetensors.hpp>
#include <gradual/core/random.hpp>

/// What goes in or comes out, by name, in the order in which it is shown. Single numbers are tensors [1].
using Values = gradual::TensorFile;

/// How the cases of a part are made. Cases run from the smallest, so that the first to fail is the smallest.
struct Exercise {
  std::string part;      // "02.3"
  gradual::Index sizes;  // there are inputs for 0 … sizes - 1; the smallest has numbers to check by hand
  Values (*inputs)(gradual::Random random, gradual::Index size);
  Values (*call)(const Values& inputs);

  /// Adds itself to those that exercise() finds: `const Exercise slope{"02.3", 6, slope_inputs, slope_call};`
  Exercise(std::string number, gradual::Index size_count, Values (*draw)(gradual::Random, gradual::Index),
           Values (*function)(const Values&));
};

/// The exercise of a part; throws std::invalid_argument where there is none.
const Exercise& exercise(const std::string& part);

/// Throws std::invalid_argument where there is no such tensor, or no such indices.
const gradual::Tensor& tensor(const Values& values, const std::string& name);
const gradual::Indices& indices(const Values& values, const std::string& name);

/// What `call` gives, or the error that it threw, under "error" in the metadata.
Values outcome_of(const Exercise& exercise, const Values& inputs);

/// Multiples of `step` between low and high, which are read at a glance: `draw(random, {2, 3}, -2, 2, 0.5)`.
gradual::Tensor draw(gradual::Random random, const gradual::Shape& shape, double low, double high,
                     double step);
/// Rows of weights that sum to 1, multiples of 1/20 for short rows.
gradual::Tensor draw_weights(gradual::Random random, const gradual::Shape& shape);
