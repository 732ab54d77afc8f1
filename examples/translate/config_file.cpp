#include "config_file.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include <CLI/CLI.hpp>
#include <examples/translate/presets/multi30k.conf.hpp>
#include <examples/translate/presets/short_sentences.conf.hpp>
#include <examples/translate/presets/toy.conf.hpp>
#include <examples/translate/presets/transformer_tiny.conf.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/core/files/read_line.hpp>
#include <gradual/nn/inspect/run_description.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "../command_mistakes.hpp"
#include "budget.hpp"

using gradual::ConfigLine;
using gradual::FileError;

namespace {

// Presets are config files that the program carries with it.
const std::map<std::string, std::string>& presets() {
  using namespace gradual::embedded;
  static const std::map<std::string, std::string> all = {
      {"toy", "\n" + std::string(toy_conf)},
      {"multi30k", "\n" + std::string(multi30k_conf)},
      {"short-sentences", "\n" + std::string(short_sentences_conf)},
      {"transformer-tiny", "\n" + std::string(transformer_tiny_conf)}};
  return all;
}

// The lines of a config file for a command.
std::vector<ConfigLine> read_config_of(const CLI::App& command, std::istream& lines,
                                       const std::string& path) {
  return gradual::read_config(lines, path, [&](const std::string& key) -> std::string {
    if (key == "config") return "a config file cannot name another: \"config\" is no key";
    // That of a fork has all its settings; elsewhere, those of the run that it names would be missing.
    if (key == "fork" && gradual::name_of(gradual::path_of(path).filename()) != "settings.conf")
      return "only the settings.conf that a fork left can name its run: type --fork and --at-step";
    if (command.get_option_no_throw("--" + key)) return "";
    return "unknown key \"" + key + "\"" + did_you_mean(key, option_names(command));
  });
}

// The value of `--name value` or `--name=value`.
std::optional<std::string> argument(const std::vector<std::string>& arguments, const std::string& name) {
  std::optional<std::string> value;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == name && i + 1 < arguments.size()) value = arguments[i + 1];
    if (arguments[i].rfind(name + "=", 0) == 0) value = arguments[i].substr(name.size() + 1);
  }
  return value;
}

// The value of an option that the arguments or a config file give.
std::optional<std::string> given(const std::string& key, const std::vector<std::string>& arguments,
                                 const std::vector<ConfigLine>& config) {
  std::optional<std::string> value = argument(arguments, "--" + key);
  for (auto line = config.rbegin(); line != config.rend() && !value; ++line)
    if (line->key == key) value = line->value;
  return value;
}

bool is_flag(const std::vector<std::string>& arguments, const std::string& name) {
  return std::find(arguments.begin(), arguments.end(), name) != arguments.end();
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const auto& each : presets()) names.push_back(each.first);
  return names;
}

void prepare_help(CLI::App& command, std::vector<std::string>& arguments) {
  static const std::vector<std::string> first = {"help",   "help-all", "preset", "budget",  "config", "tsv",
                                                 "source", "target",   "model",  "steps",   "width",  "units",
                                                 "out",    "resume",   "json",   "threads", "seed"};
  const bool all = is_flag(arguments, "--help-all");
  if (!all && !is_flag(arguments, "--help") && !is_flag(arguments, "-h")) return;
  std::replace(arguments.begin(), arguments.end(), std::string("--help-all"), std::string("--help"));
  const auto found = presets().find(argument(arguments, "--preset").value_or("toy"));
  if (found == presets().end()) return;  // it is refused when it is parsed
  std::istringstream lines(found->second);
  for (const ConfigLine& line : read_config_of(command, lines, found->first))
    command.get_option("--" + line.key)->default_str(line.value);
  if (all) {
    std::string list;
    for (const auto& [name, text] : presets()) list += "Preset " + name + text + "\n";
    command.footer(list);
    return;
  }
  for (CLI::Option* option : command.get_options())
    if (std::find(first.begin(), first.end(), option->get_single_name()) == first.end()) option->group("");
  const auto usual = [&](const char* option) { return command.get_option(option)->get_default_str(); };
  const std::string start = "  " + typed_command("translate") + " train ";
  command.footer("The defaults are those of the preset " + found->first +
                 "; --help-all prints all there is to set.\n\nOn your own text, in lines of source, tab, "
                 "target:\n" +
                 start +
                 "--tsv pairs.tsv --budget 5m --out out/mine\nTwice as long as a finished run, from "
                 "the beginning:\n" +
                 start + "\\\n    --config " + usual("--out") + "/settings.conf --steps " +
                 std::to_string(2 * std::stoll(usual("--steps"))) + " --out out/longer");
}

std::vector<ConfigLine> config_of(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::vector<ConfigLine> lines;
  const auto add = [&](const std::string& path) {
    std::ifstream file = gradual::open_lines(path);
    const std::vector<ConfigLine> more = read_config_of(command, file, path);
    lines.insert(lines.end(), more.begin(), more.end());
  };
  if (const auto fork = argument(arguments, "--fork")) {
    add(*fork + "/settings.conf");
    // The new run has a folder of its own, and this run is what it comes from, whatever that one came from.
    lines.erase(std::remove_if(lines.begin(), lines.end(),
                               [](const ConfigLine& line) {
                                 return line.key == "out" || line.key == "fork" || line.key == "at-step";
                               }),
                lines.end());
  }
  if (const auto path = argument(arguments, "--config")) add(*path);
  return lines;
}

std::vector<std::string> with_config_and_preset(const CLI::App& command,
                                                const std::vector<std::string>& arguments,
                                                const std::vector<ConfigLine>& config,
                                                const std::string& planned) {
  std::vector<std::string> result;
  const auto add = [&](const std::vector<ConfigLine>& lines) {
    for (const ConfigLine& line : lines) result.push_back("--" + line.key + "=" + line.value);
  };
  const auto add_text = [&](const std::string& text, const std::string& origin) {
    std::istringstream lines(text);
    add(read_config_of(command, lines, origin));
  };
  const std::string preset = given("preset", arguments, config).value_or("toy");
  const auto found = presets().find(preset);  // an unknown one is refused when its option is parsed
  if (found != presets().end()) add_text(found->second, "preset " + preset);
  add_text(planned, "plan");
  add(config);
  result.insert(result.end(), arguments.begin(), arguments.end());
  return result;
}

std::vector<std::string> idle_options(const std::vector<std::string>& arguments, const std::string& used) {
  std::vector<std::string> sentences;
  for (const auto& [key, why] : gradual::idle_settings(used))
    if (argument(arguments, "--" + key)) sentences.push_back("--" + key + " changes nothing: --" + why);
  return sentences;
}

void check_plan(const std::vector<std::string>& arguments, const std::vector<ConfigLine>& config) {
  if (!given("budget", arguments, config)) return;
  const auto refuse = [&](const std::vector<std::string>& keys, const std::string& what) {
    for (const std::string& key : keys)
      if (given(key, arguments, config) || is_flag(arguments, "--" + key))
        throw CLI::ValidationError("--budget " + what + " --" + key + ": leave one of them out");
  };
  refuse(planned_options(), "chooses");
  refuse(unplanned_options(), "plans without");
}

void search_as_trained(CLI::App& command, const std::string& used) {
  // What `train` writes down. The notes of a stranger's model may have any line.
  static const std::set<std::string> written = {"beam",           "length-penalty", "coverage-penalty",
                                                "reverse-weight", "bleu",           "bleu-lower-case"};
  for (const ConfigLine& line : gradual::lines_of(used)) {
    if (written.count(line.key) == 0) continue;
    CLI::Option* option = command.get_option_no_throw("--" + line.key);
    if (!option || option->get_group() != search_group || option->count() > 0) continue;
    const CLI::Option* const beam = command.get_option_no_throw("--beam");
    if (line.key == "reverse-weight" && beam && beam->count() > 0 && beam->as<std::string>() == "1")
      continue;  // greedy search, which was asked for, has nothing to choose from
    option->add_result(line.value);
    option->run_callback();
  }
}

bool learnt_both_ways(const std::string& used) {
  const std::vector<ConfigLine> lines = gradual::lines_of(used);
  return std::any_of(lines.begin(), lines.end(),
                     [](const ConfigLine& line) { return line.key == "both-ways" && line.value == "true"; });
}

std::string other_settings(const CLI::App& command) {
  std::string typed;
  for (const char* name : {"threads", "checkpoint-every", "history", "trace", "json"}) {
    const CLI::Option* const option = command.get_option(std::string("--") + name);
    if (option->count() == 0) continue;
    const bool is_flag = option->get_expected_max() == 0;
    if (!is_flag)
      typed += std::string(" --") + name + " " + option->results().back();
    else if (option->as<bool>())
      typed += std::string(" --") + name;
  }
  return typed;
}

std::string used_settings(const CLI::App& command) {
  std::string lines;
  for (const CLI::Option* option : command.get_options()) {
    static const std::vector<std::string> without_effect = {
        "help",  "help-all", "preset",           "budget", "config",  "out",     "resume", "profile",
        "check", "doctor",   "checkpoint-every", "json",   "threads", "history", "trace"};
    const std::string name = option->get_single_name();
    if (std::find(without_effect.begin(), without_effect.end(), name) != without_effect.end()) continue;
    if (name == "at-step" && option->count() == 0) continue;               // only a fork has one
    if (option->get_expected_max() == 0 && !option->as<bool>()) continue;  // a flag that is off
    const std::string value = option->count() > 0 ? option->results().back() : option->get_default_str();
    // What runs of 0.1.0 did not have is left out where nothing sets it: they are made again, and go on.
    static const std::vector<std::string> newer = {"subword-sampling", "word-dropout",        "r-drop",
                                                   "optimizer",        "muon-scale",          "both-ways",
                                                   "reverse-weight",   "feed-forward-dropout"};
    if (std::find(newer.begin(), newer.end(), name) != newer.end() && option->count() == 0) continue;
    if (gradual::first_invalid_byte(value))
      throw std::invalid_argument("train: the model keeps its settings as text: --" + name + " is not UTF-8");
    if (!value.empty()) lines += gradual::config_line(name, value);
  }
  return lines;
}
