// Settings from files: lines `option = value`. Presets are such files that the program carries with it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

std::vector<std::string> preset_names();

/// The arguments of `command` with those of its preset, of `planned` (lines of a config file) and of its
/// config file put in front: each overrides those before, and the command line overrides all. Throws
/// gradual::FileError with the line for a key that is not an option, std::invalid_argument for an unknown
/// preset.
std::vector<std::string> with_config_and_preset(const CLI::App& command,
                                                const std::vector<std::string>& arguments,
                                                const std::string& planned = "");

/// The options of `command` that decide the numbers of a run, as lines `option = value`.
std::string used_settings(const CLI::App& command);
