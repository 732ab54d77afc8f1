// Config files and arguments of `translate train`.
#include <algorithm>
#include <optional>
#include <sstream>

#include <CLI/CLI.hpp>

#include <gradual/core/error.hpp>

#include "../../examples/command_mistakes.hpp"
#include "../../examples/translate/config_file.hpp"
#include "../../examples/translate/settings.hpp"
#include "change_json.hpp"
#include "support/files.hpp"

namespace gradual::fuzz {
namespace {

// What decides the numbers of a run that these arguments start, as main.cpp reads them; nothing where they
// are refused.
std::optional<std::string> settings_of_run(std::vector<std::string> arguments) {
  CLI::App app("", "translate");
  CLI::App* const train = app.add_subcommand("train", "train");
  const TrainOptions options(*train);
  try {
    prepare_help(*train, arguments);
    const std::vector<std::string> of_train = arguments;
    const std::vector<ConfigLine> config = config_of(*train, of_train);
    arguments = with_config_and_preset(*train, arguments, config, "");
    arguments.insert(arguments.begin(), "train");
    std::reverse(arguments.begin(), arguments.end());
    app.parse(arguments);
    check_plan(of_train, config);
    return options.settings().used;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) static_cast<void>(mistake_text(app, error));
  } catch (const FileError&) {
  } catch (const std::invalid_argument&) {
  }
  return std::nullopt;
}

const TestFolder& folder() {
  static const TestFolder folder;
  return folder;
}

std::vector<std::string> lines_in(const std::string& bytes) {
  std::vector<std::string> lines;
  std::istringstream text(bytes);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

bool starts_with(const std::string& text, const std::string& beginning) {
  return text.rfind(beginning, 0) == 0;
}

}  // namespace

void take_config_file(const std::string& bytes) {
  const auto used = settings_of_run({"--config", folder().write("settings.conf", bytes)});
  if (!used) return;
  const auto again = settings_of_run({"--config", folder().write("settings.conf", *used)});
  if (again != used)
    throw std::logic_error("settings are not read as they were written:\n" + *used + "-- again:\n" +
                           again.value_or("refused"));
}

void take_arguments(const std::string& bytes) {
  std::vector<std::string> arguments = lines_in(bytes);
  for (const char* other_file : {"--config", "--fork"})  // what is in files is the other target's
    if (std::any_of(arguments.begin(), arguments.end(),
                    [&](const std::string& each) { return starts_with(each, other_file); }))
      return;
  static_cast<void>(settings_of_run(arguments));
}

// Lines `name = value`, or `--name=value` where the first one begins so.
std::string change_settings(const std::string& bytes, Random random, const ChangeBytes& change_bytes) {
  static const std::vector<std::string> names = [] {
    CLI::App app;
    const TrainOptions options(app);
    return option_names(app);
  }();
  static const std::vector<std::string> values = {"0",
                                                  "1",
                                                  "2",
                                                  "-1",
                                                  "3",
                                                  "0.5",
                                                  "1e308",
                                                  "nan",
                                                  "inf",
                                                  "020",
                                                  "0x10",
                                                  "9223372036854775807",
                                                  "18446744073709551616",
                                                  "true",
                                                  "false",
                                                  "words",
                                                  "characters",
                                                  "subwords",
                                                  "lstm",
                                                  "gru",
                                                  "transformer",
                                                  "none",
                                                  "additive",
                                                  "dot",
                                                  "location",
                                                  "rotary",
                                                  "relative",
                                                  "learned",
                                                  "10s",
                                                  "1m",
                                                  "1e9h",
                                                  "bleu",
                                                  "\"a \\\" # b\"",
                                                  "#",
                                                  "\xC3\xA9",
                                                  "a = b",
                                                  "=",
                                                  "\""};
  std::vector<std::string> lines = lines_in(bytes);
  if (lines.empty()) lines.emplace_back();
  const bool arguments = starts_with(lines.front(), "--");
  const auto new_line = [&] {
    const std::string& name = one_of_all(names, random);
    const std::string& value = one_of_all(values, random);
    return arguments ? "--" + name + "=" + value : name + " = " + value;
  };
  std::string& line = one_of_all(lines, random);
  switch (random.below(6)) {
    case 0:
      line = new_line();
      break;
    case 1:
      line = change_bytes(line);
      break;
    case 2:
      line.clear();
      break;
    case 3:
      std::swap(line, one_of_all(lines, random));
      break;
    case 4:
      line = line.substr(0, line.find('=')) + "=" + one_of_all(values, random);
      break;
    default:
      lines.push_back(new_line());
  }
  std::string changed;
  for (const std::string& each : lines) changed += each + "\n";
  return changed;
}

}  // namespace gradual::fuzz
