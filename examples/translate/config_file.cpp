#include "config_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>

#include <CLI/CLI.hpp>
#include <examples/translate/presets/multi30k.conf.hpp>
#include <examples/translate/presets/short_sentences.conf.hpp>
#include <examples/translate/presets/toy.conf.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>

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
      {"short-sentences", "\n" + std::string(short_sentences_conf)}};
  return all;
}

// The fewest letters to insert, remove or change that make one word the other (Levenshtein 1966).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row.back();
}

std::string nearest_option(const CLI::App& command, const std::string& key) {
  std::string nearest;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_single_name();
    if (nearest.empty() || edit_distance(key, name) < edit_distance(key, nearest)) nearest = name;
  }
  return nearest;
}

// The lines of a config file for a command.
std::vector<ConfigLine> read_config_of(const CLI::App& command, std::istream& lines,
                                       const std::string& path) {
  return gradual::read_config(lines, path, [&](const std::string& key) -> std::string {
    if (key == "config") return "a config file cannot name another: \"config\" is no key";
    if (command.get_option_no_throw("--" + key)) return "";
    return "unknown key \"" + key + "\"; did you mean \"" + nearest_option(command, key) + "\"?";
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

bool is_flag(const std::vector<std::string>& arguments, const std::string& name) {
  return std::find(arguments.begin(), arguments.end(), name) != arguments.end();
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const auto& each : presets()) names.push_back(each.first);
  return names;
}

std::string preset_list() {
  std::string list;
  for (const auto& [name, lines] : presets()) list += "Preset " + name + lines + "\n";
  return list;
}

std::vector<ConfigLine> config_of(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::vector<ConfigLine> lines;
  const auto add = [&](const std::string& path) {
    std::ifstream file(path);
    if (!file) throw FileError(path, std::string("cannot be read: ") + std::strerror(errno));
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
  const auto given = [&](const std::string& key) {
    std::optional<std::string> value = argument(arguments, "--" + key);
    for (auto line = config.rbegin(); line != config.rend() && !value; ++line)
      if (line->key == key) value = line->value;
    return value;
  };
  if (given("budget")) {  // a plan holds as a whole: what it expects is only true of what it chose
    for (const std::string& key : planned_options())
      if (given(key) || is_flag(arguments, "--" + key))
        throw std::invalid_argument("train: --budget chooses --" + key + ": leave one of them out");
  }
  std::vector<std::string> result;
  const auto add = [&](const std::vector<ConfigLine>& lines) {
    for (const ConfigLine& line : lines) result.push_back("--" + line.key + "=" + line.value);
  };
  const auto add_text = [&](const std::string& text, const std::string& origin) {
    std::istringstream lines(text);
    add(read_config_of(command, lines, origin));
  };
  const std::string preset = given("preset").value_or("toy");
  const auto found = presets().find(preset);  // an unknown one is refused when its option is parsed
  if (found != presets().end()) add_text(found->second, "preset " + preset);
  add_text(planned, "plan");
  add(config);
  result.insert(result.end(), arguments.begin(), arguments.end());
  return result;
}

void search_as_trained(CLI::App& command, const std::string& used) {
  for (const ConfigLine& line : gradual::lines_of(used)) {
    CLI::Option* option = command.get_option_no_throw("--" + line.key);
    if (!option || option->get_group() != search_group || option->count() > 0) continue;
    option->add_result(line.value);
    option->run_callback();
  }
}

std::string used_settings(const CLI::App& command) {
  std::string lines;
  for (const CLI::Option* option : command.get_options()) {
    static const std::vector<std::string> without_effect = {
        "help",  "preset",           "budget", "config",  "out",     "resume", "profile",
        "check", "checkpoint-every", "json",   "threads", "history", "trace"};
    const std::string name = option->get_single_name();
    if (std::find(without_effect.begin(), without_effect.end(), name) != without_effect.end()) continue;
    if (name == "at-step" && option->count() == 0) continue;  // only a fork has one
    const std::string value = option->count() > 0 ? option->results().back() : option->get_default_str();
    if (gradual::first_invalid_byte(value))
      throw std::invalid_argument("train: the model keeps its settings as text: --" + name + " is not UTF-8");
    if (!value.empty()) lines += gradual::config_line(name, value);
  }
  return lines;
}
