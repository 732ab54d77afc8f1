// What --help prints: in 80 columns, or as many as a narrower terminal has, and in words of its own.
#pragma once

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "command_mistakes.hpp"
#include "terminal/colour.hpp"
#include "terminal/console.hpp"

/// An option a line, what it means beside it, and at its end what may be given and what it is by default:
///
///   --threads N               threads that share the work; 0: as many as there are
///                             cores (0 to 64, default 0)
class HelpText : public CLI::Formatter {
 public:
  HelpText() {
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
    label("OPTIONS", "options");
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    margin_ = margin_of(*app);
    const std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
    return help.substr(0, help.find_last_not_of('\n') + 1) + "\n";
  }
  std::string make_description(const CLI::App* app) const override {
    return wrapped(as_sentence(CLI::Formatter::make_description(app)), columns()) + "\n";
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    const CLI::App* program = app;
    while (program->get_parent()) program = program->get_parent();
    if (name.rfind(program->get_name(), 0) == 0)
      name.replace(0, program->get_name().size(), typed_command(program->get_name()));
    return CLI::Formatter::make_usage(app, std::move(name)) + "\n";
  }
  std::string make_footer(const CLI::App* app) const override {
    return with_remarks_in_grey(wrapped(CLI::Formatter::make_footer(app), columns()));
  }
  std::string make_positionals(const CLI::App* app) const override {
    const std::string lines = CLI::Formatter::make_positionals(app);
    return lines.empty() ? "" : lines + "\n";
  }
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    std::string lines = in_colour(group + ":", Colour::strong) + "\n";
    for (const CLI::Option* each : options) lines += make_option(each, is_positional);
    return lines;
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    const std::string what = what_may_be_given(*option);
    return beside(name_of(option, is_positional) + value_of(*option),
                  option->get_description() + (what.empty() ? "" : " (" + what + ")"));
  }
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode) const override {
    std::string lines, heading;
    for (const CLI::App* each : commands_of(*app)) {
      if (each->get_group() != heading) {
        heading = each->get_group();
        lines += "\n" + in_colour(heading + ":", Colour::strong) + "\n";
      }
      lines += beside(each->get_name(), each->get_description());
    }
    return lines;
  }

  /// As many as a line of the help may have.
  static int columns() {
    constexpr int usual = 80, narrowest = 50;
    const int known = output_columns();
    return known > 0 ? std::clamp(known, narrowest, usual) : usual;
  }

 private:
  mutable std::size_t margin_ = 0;  // the columns in front of what a name means

  static std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
  }
  // As many as the names need, but for some that are long and stand in a line of their own.
  std::size_t margin_of(const CLI::App& app) const {
    constexpr std::size_t widest = 28;
    std::size_t margin = 0;
    const auto hold = [&](const std::string& name) {
      if (const std::size_t needed = gradual::character_count(name) + 4; needed <= widest)
        margin = std::max(margin, needed);
    };
    for (const CLI::Option* option : app.get_options())
      if (!option->get_group().empty()) hold(name_of(option, option->get_positional()) + value_of(*option));
    for (const CLI::App* command : commands_of(app)) hold(command->get_name());
    return margin;
  }

  std::string name_of(const CLI::Option* option, bool is_positional) const {
    return CLI::detail::find_and_replace(make_option_name(option, is_positional), ",", ", ");
  }
  // The type is INT, FLOAT, TEXT, FILE or FOLDER, and behind a colon what a check demands (command_line.hpp).
  static std::string value_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    if (option.get_type_size() == 0 || type.empty()) return "";
    const std::string kind = type.substr(0, type.find(':'));
    const bool is_choice = type.find(":{") != std::string::npos;
    const std::string word = kind == "INT" || kind == "UINT" ? " N"
                             : kind == "FLOAT"               ? " X"
                             : is_choice                     ? " NAME"
                                                             : " " + kind;
    return option.get_expected_max() > 1 ? word + " ..." : word;
  }
  static std::string what_may_be_given(const CLI::Option& option) {
    if (option.get_type_size() == 0) return "";
    const std::string type = option.get_type_name();
    std::string what;
    if (const auto choices = type.find(":{"); choices != std::string::npos)
      what = "one of " +
             CLI::detail::find_and_replace(type.substr(choices + 2, type.size() - choices - 3), ",", ", ");
    else if (const auto range = type.find(":in ["); range != std::string::npos)
      what = CLI::detail::find_and_replace(type.substr(range + 5, type.size() - range - 6), " - ", " to ");
    const auto add = [&](const std::string& more) { what += (what.empty() ? "" : "; ") + more; };
    if (option.get_required())
      add("required");
    else if (const std::string value = option.get_default_str(); !value.empty() && value != "[]")
      add("default " + (value.front() == '[' ? value.substr(1, value.size() - 2) : value));  // as it is typed
    return what;
  }

  // What stands behind a command and "  # ".
  static std::string with_remarks_in_grey(const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line); result += "\n")
      if (const std::size_t remark = line.find("  # "); remark != std::string::npos)
        result += line.substr(0, remark) + in_colour(line.substr(remark), Colour::soft);
      else
        result += line;
    return result;
  }
  // What a command does stands small and without a full stop in the list of commands.
  static std::string as_sentence(std::string description) {
    const std::size_t last = description.find_last_not_of("\n");
    if (last == std::string::npos) return description;
    if (const char first = description.front(); first >= 'a' && first <= 'z')
      description.front() = static_cast<char>(first - 'a' + 'A');
    if (const char end = description[last]; end != '.' && end != '?') description.insert(last + 1, ".");
    return description;
  }
  std::string beside(const std::string& name, const std::string& meaning) const {
    const std::string margin(margin_, ' '), left = "  " + in_colour(name, Colour::accent);
    const std::size_t width = 2 + gradual::character_count(name);
    const std::string lines = wrapped(margin + meaning, columns()) + "\n";
    return left + (width + 2 > margin_ ? "\n" + lines : lines.substr(width));
  }
};

/// Commands, each with what it is for behind it, or above it where a line has no room for that.
inline std::string commands_with_remarks(const std::vector<std::pair<std::string, std::string>>& commands) {
  std::size_t widest = 0, longest = 0;
  for (const auto& [command, remark] : commands) {
    widest = std::max(widest, command.size());
    longest = std::max(longest, remark.size());
  }
  const bool fit = 2 + widest + 4 + longest <= static_cast<std::size_t>(HelpText::columns());
  std::string lines;
  for (const auto& [command, remark] : commands)
    lines += fit ? "  " + gradual::left_in(widest, command) + "  # " + remark + "\n"
                 : "  # " + remark + "\n  " + command + "\n";
  return lines;
}

/// A program's command line, or that of a part of it, with such a help.
class CommandLine : public CLI::App {
 public:
  explicit CommandLine(const std::string& description, const std::string& name = "")
      : CLI::App(description, name) {
    formatter(std::make_shared<HelpText>());
    set_help_flag("-h,--help", "print this and end");
    group("Commands");  // of a command, unless it stands under a heading of its own
  }

  /// What was typed behind the program's name; "--name=" stands in two words, as CLI11 takes the next option
  /// for its value.
  static std::vector<std::string> words(int argc, const char* const* argv) {
    std::vector<std::string> typed;
    for (int i = 1; i < argc; ++i) {
      std::string word = argv[i];
      const bool is_empty = word.size() > 3 && word.rfind("--", 0) == 0 && word.find('=') == word.size() - 1;
      if (is_empty) word.pop_back();
      typed.push_back(word);
      if (is_empty) typed.emplace_back();
    }
    return typed;
  }

  /// As CLI::App does, which takes an option in front of a command for one of what is done without a command.
  void parse(int argc, const char* const* argv) {
    std::vector<std::string> arguments = words(argc, argv);
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    CLI::App::parse(arguments);
    for (const CLI::App* command : get_subcommands())
      for (const CLI::Option* option : get_options())
        if (option->count() > 0)
          throw CLI::ValidationError(option->get_name(), "is of the program without a command: options of " +
                                                             command->get_name() + " stand behind it");
  }
};
