// What the subcommands that use a trained model have in common.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include <gradual/nn/translation/translator.hpp>

#include "../command_line.hpp"
#include "config_file.hpp"

/// A subcommand, and what it does once the command line was read.
struct Subcommand {
  CLI::App* command;
  std::function<void()> run;
};

inline const std::string as_tested = "A search option that is left out is as in the training of the model";

inline Options with_model(CLI::App& command, std::string& model) {
  Options options(command);
  options("model", model, "a trained model");
  return options;
}

/// A trained model, and its way to search for those options of the command that were left out.
inline gradual::Translator load(CLI::App& command, const std::string& model) {
  gradual::Translator translator = gradual::Translator::load(model);
  search_as_trained(command, translator.notes());
  return translator;
}
