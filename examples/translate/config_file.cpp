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

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "budget.hpp"

using gradual::FileError;

namespace {

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

// Presets are config files that the program carries with it.
const std::map<std::string, std::string>& presets() {
  static const std::map<std::string, std::string> all = {
      {"toy", R"(
width = 64
heads = 4
feed-forward = 128
encoder-layers = 2
decoder-layers = 2
dropout = 0.05
steps = 2000
batch-tokens = 1024
learning-rate = 0.003
warmup = 150
decay = cosine
label-smoothing = 0.05
)"},
      {"multi30k", R"(
# Transformer-Tiny (Wu et al. 2021), for two files of tokenised, lower-cased sentences
units = subwords
subwords = 10000
joint = true
width = 128
heads = 4
feed-forward = 256
encoder-layers = 4
decoder-layers = 4
dropout = 0.3
steps = 10000
batch-tokens = 2048
learning-rate = 0.004
warmup = 800
decay = cosine
label-smoothing = 0.1
average = 10
snapshot-every = 100
beam = 5
length-penalty = 1.5
bleu = none
out = out/multi30k
)"},
      {"short-sentences", R"(
# pairs of everyday sentences, a hundred thousand or more
units = subwords
subwords = 5000
joint = true
width = 128
heads = 4
feed-forward = 512
encoder-layers = 3
decoder-layers = 3
dropout = 0.05
steps = 20000
batch-tokens = 1024
learning-rate = 0.003
warmup = 1000
decay = cosine
label-smoothing = 0.1
average = 10
snapshot-every = 200
beam = 5
length-penalty = 1.5
out = out/short-sentences
)"},
  };
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

bool is_comment(const std::string& text) { return text.empty() || text.front() == '#'; }

// What stands behind the equals sign: up to a comment, or between quotation marks, where # is text and a
// backslash stands before a quotation mark or a backslash. Nothing where the marks do not enclose it.
std::optional<std::string> value_of(const std::string& text) {
  if (text.empty() || text.front() != '"') return trimmed(text.substr(0, text.find('#')));
  std::string value;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') return is_comment(trimmed(text.substr(i + 1))) ? std::optional(value) : std::nullopt;
    const bool is_escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
    if (is_escape) ++i;
    value += text[i];
  }
  return std::nullopt;
}

// Lines `key = value`, empty lines, and comments after #.
std::vector<ConfigLine> read_config(const CLI::App& command, std::istream& lines, const std::string& path) {
  std::vector<ConfigLine> result;
  std::string line;
  for (std::int64_t number = 1; std::getline(lines, line); ++number) {
    const std::string byte_order_mark = "\uFEFF";
    if (number == 1 && line.rfind(byte_order_mark, 0) == 0) line.erase(0, byte_order_mark.size());
    const std::string content = trimmed(line);
    if (is_comment(content)) continue;
    const auto require = [&](bool holds, const std::string& rule) {
      if (!holds) throw FileError::at_line(path, number, rule);
    };
    const auto equals = content.find('=');
    require(equals != std::string::npos && equals < content.find('#'),
            "a line must be `key = value`: got \"" + content + "\"");
    const std::string key = trimmed(content.substr(0, equals));
    const std::optional<std::string> value = value_of(trimmed(content.substr(equals + 1)));
    require(key != "config", "a config file cannot name another: \"config\" is no key");
    require(command.get_option_no_throw("--" + key) != nullptr,
            "unknown key \"" + key + "\"; did you mean \"" + nearest_option(command, key) + "\"?");
    require(value.has_value(),
            "quotation marks must enclose a value, with \\\" for one inside: got \"" + content + "\"");
    require(!value->empty(), "\"" + key + "\" must have a value; leave the line out for none");
    result.push_back({key, *value});
  }
  if (lines.bad()) throw FileError(path, std::string("cannot be read: ") + std::strerror(errno));  // a folder
  return result;
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
  const auto path = argument(arguments, "--config");
  if (!path) return {};
  std::ifstream file(*path);
  if (!file) throw FileError(*path, std::string("cannot be read: ") + std::strerror(errno));
  return read_config(command, file, *path);
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
    add(read_config(command, lines, origin));
  };
  const std::string preset = given("preset").value_or("toy");
  const auto found = presets().find(preset);  // an unknown one is refused when its option is parsed
  if (found != presets().end()) add_text(found->second, "preset " + preset);
  add_text(planned, "plan");
  add(config);
  result.insert(result.end(), arguments.begin(), arguments.end());
  return result;
}

std::string config_line(const std::string& key, const std::string& value) {
  if (value.find('\n') != std::string::npos)
    throw std::invalid_argument("train: the model keeps its settings as lines: --" + key +
                                " has a line break: got \"" + value + "\"");
  const bool plain =
      value == trimmed(value) && value.find('#') == std::string::npos && value.rfind('"', 0) != 0;
  if (plain) return key + " = " + value + "\n";
  std::string quoted;
  for (const char c : value) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return key + " = \"" + quoted + "\"\n";
}

void search_as_trained(CLI::App& command, const std::string& used) {
  for (const ConfigLine& line : lines_of(used)) {
    CLI::Option* option = command.get_option_no_throw("--" + line.key);
    if (!option || option->get_group() != search_group || option->count() > 0) continue;
    option->add_result(line.value);
    option->run_callback();
  }
}

std::vector<ConfigLine> lines_of(const std::string& used) {
  std::vector<ConfigLine> result;
  std::istringstream lines(used);
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find(" = ");
    if (equals != std::string::npos) result.push_back({line.substr(0, equals), line.substr(equals + 3)});
  }
  return result;
}

std::string used_settings(const CLI::App& command) {
  std::string lines;
  for (const CLI::Option* option : command.get_options()) {
    static const std::vector<std::string> without_effect = {"help", "preset", "budget",  "config",
                                                            "out",  "resume", "profile", "checkpoint-every",
                                                            "json", "threads"};
    const std::string name = option->get_single_name();
    if (std::find(without_effect.begin(), without_effect.end(), name) != without_effect.end()) continue;
    const std::string value = option->count() > 0 ? option->results().back() : option->get_default_str();
    if (gradual::first_invalid_byte(value))
      throw std::invalid_argument("train: the model keeps its settings as text: --" + name + " is not UTF-8");
    if (!value.empty()) lines += config_line(name, value);
  }
  return lines;
}
