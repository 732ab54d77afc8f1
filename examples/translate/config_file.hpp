// Settings from files: lines `option = value`. Presets are such files that the program carries with it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

std::vector<std::string> preset_names();

/// The arguments of `command` with those of its preset and its config file put in front, so that the config
/// file overrides the preset and the command line overrides both. Throws gradual::FileError with the line for
/// a key that is not an option, std::invalid_argument for an unknown preset.
std::vector<std::string> with_config_and_preset(const CLI::App& command,
                                                const std::vector<std::string>& arguments);

/// The options of `command` that decide the numbers of a run, as lines `option = value`.
std::string used_settings(const CLI::App& command);
