// What the subcommands that use a trained model have in common.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "../command_line.hpp"
#include "config_file.hpp"
#include "known_text.hpp"

/// A subcommand, what it does once the command line was read, and what one may type to try it.
struct Subcommand {
  CLI::App* command;
  std::function<void()> run;
  std::string example;
};

inline const std::string as_tested = "A search option that is left out is as in the training of the model";

inline Options with_model(CLI::App& command, std::string& model) {
  Options options(command);
  options.file("model", model,
               "a trained model, or several, with commas in between, that translate together");
  return options;
}

/// What makes a search sooner done, and a little less exact.
struct SearchSpeed {
  bool int8 = false;      // products in 8 bits
  std::string shortlist;  // a file of the words that may be written
};

inline std::shared_ptr<SearchSpeed> add_speed_options(CLI::App& command) {
  auto speed = std::make_shared<SearchSpeed>();
  const Options options(command, search_group);
  options.flag("int8", speed->int8,
               "multiply by the weights in 8 bits: sooner done, and a little less exact");
  options.file(
      "shortlist", speed->shortlist,
      "write only words of this file, which `shortlist` makes: sooner done, and a little less exact");
  return speed;
}

/// A trained model, and its way to search for those options of the command that were left out.
inline gradual::Translator load(CLI::App& command, const std::string& model, const SearchSpeed& speed = {}) {
  gradual::Translator translator = load_model(model);
  if (speed.int8) translator.model().set_precision(gradual::Precision::int8);
  if (!speed.shortlist.empty()) translator.set_shortlist(gradual::Shortlist::load(speed.shortlist));
  try {
    search_as_trained(command, translator.notes());
  } catch (const CLI::ParseError& error) {
    throw gradual::FileError(model,
                             gradual::text("cannot be used: its notes say how to search: ", error.what()));
  }
  return translator;
}
