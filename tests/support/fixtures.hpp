// What PyTorch computed, read from tests/parity/fixtures (made by tests/parity/make_fixtures.py).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/files/safetensors.hpp>
#include <gradual/nn/module.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

namespace gradual {

/// One file of fixtures.
class Fixture {
 public:
  explicit Fixture(const std::string& name) {
    TensorFile file = load_tensors(std::string(GRADUAL_FIXTURES) + "/" + name + ".safetensors");
    tensors_ = {file.tensors.begin(), file.tensors.end()};
    indices_ = {file.indices.begin(), file.indices.end()};
  }

  const Tensor& tensor(const std::string& name) const { return tensors_.at(name); }
  const Indices& indices(const std::string& name) const { return indices_.at(name); }

  /// Sets all parameters to those of the fixture, which must hold neither more nor fewer.
  void load_into(const std::vector<NamedParameter>& parameters) const {
    const std::string prefix = "parameters/";
    std::vector<std::pair<std::string, Tensor>> values;
    for (const auto& [name, tensor] : tensors_) {
      if (name.rfind(prefix, 0) == 0) values.emplace_back(name.substr(prefix.size()), tensor);
    }
    set_parameters(parameters, values);
  }

  /// Compares the gradient of every parameter.
  void check_gradients(const std::vector<NamedParameter>& parameters,
                       double tolerance = rounding_tolerance) const {
    for (const NamedParameter& parameter : parameters) {
      INFO("gradient of " << parameter.name);
      CHECK(difference(parameter.variable.grad(), tensor("gradients/" + parameter.name), tolerance) == "");
    }
  }

 private:
  std::map<std::string, Tensor> tensors_;
  std::map<std::string, Indices> indices_;
};

}  // namespace gradual
