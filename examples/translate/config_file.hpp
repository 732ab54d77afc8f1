// Settings from files: lines `option = value`. Presets are such files that the program carries with it.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/files/config_lines.hpp>

namespace CLI {
class App;
}

/// The heading of the options for searching and judging.
inline constexpr const char* search_group = "Search";

std::vector<std::string> preset_names();

/// Before a command line is parsed that asks for help: --help tells a few options that most people want, as
/// the preset has them, and --help-all all of them.
void prepare_help(CLI::App& command, std::vector<std::string>& arguments);

/// The lines of the settings of a run that --fork names, and of the file that --config names, among the
/// arguments of `command`.
/// Throws gradual::FileError, with the line where a key is not an option or a value is missing.
std::vector<gradual::ConfigLine> config_of(const CLI::App& command,
                                           const std::vector<std::string>& arguments);

/// The arguments of `command` with those of its preset, of `planned` (lines of a config file) and of its
/// config file put in front: each overrides those before, and the command line overrides all.
std::vector<std::string> with_config_and_preset(const CLI::App& command,
                                                const std::vector<std::string>& arguments,
                                                const std::vector<gradual::ConfigLine>& config,
                                                const std::string& planned);

/// A sentence for each option that was typed and changes nothing, because of another setting in `used`, lines
/// of used_settings().
std::vector<std::string> idle_options(const std::vector<std::string>& arguments, const std::string& used);

/// A plan holds as a whole: what it expects is only true of what it chose. Throws CLI::ValidationError where
/// the arguments or the config file have --budget, and an option that it chooses or plans without.
void check_plan(const std::vector<std::string>& arguments, const std::vector<gradual::ConfigLine>& config);

/// Gives the options for searching and judging that the command line left out the values in `used`, lines of
/// used_settings(): a model translates as it was tested.
void search_as_trained(CLI::App& command, const std::string& used);

/// Whether lines of used_settings() say that a model learnt both ways.
bool learnt_both_ways(const std::string& used);

/// The options of `command` that change no number of a run, and how it is shown or kept, as they are typed;
/// nothing for those that were not given.
std::string other_settings(const CLI::App& command);

/// The options of `command` that decide the numbers of a run, as lines `option = value`; flags that are off
/// are left out. Throws std::invalid_argument for a value that is not UTF-8.
std::string used_settings(const CLI::App& command);
