// What a person is told whose command line cannot be understood: what is wrong, and what was probably meant.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

/// What people type to start a program: `./run NAME` where that script started it, else its name.
inline std::string typed_command(const std::string& program) {
  const char* const typed = std::getenv("GRADUAL_COMMAND");
  return typed && *typed ? typed : program;
}

/// A text as the argument of a command that a shell reads.
inline std::string in_quotes(const std::string& text) {
  if (text.find_first_of("\"\\$`!") == std::string::npos) return "\"" + text + "\"";
  std::string quoted = "'";  // where a shell takes all for itself, but for the mark that ends it
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// The same, without quotation marks where a shell takes the word as it is.
inline std::string as_argument(const std::string& word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0 ||
           std::string("-_./=,:+@%").find(c) != std::string::npos;
  });
  return is_plain ? word : in_quotes(word);
}

/// The fewest letters to insert, remove or change that make one word the other (Levenshtein 1966); two
/// neighbours that changed places are one.
inline std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> two_before = std::exchange(before, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_before[j - 2] + 1);
    }
  }
  return row.back();
}

/// Whether it is the name with letters left out: "sinus" for "sinusoidal", "no-mask" for "no-causal-mask".
inline bool abbreviates(const std::string& typed, const std::string& name) {
  constexpr std::size_t least = 3;
  std::size_t found = 0;
  for (const char letter : name)
    if (found < typed.size() && typed[found] == letter) ++found;
  return typed.size() >= least && found == typed.size() && typed.front() == name.front();
}

/// The name that is nearest; where more than a third of the letters would have to change, one that it
/// abbreviates, or "".
inline std::string nearest_name(const std::string& typed, const std::vector<std::string>& names) {
  auto nearest =
      std::min_element(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        return edit_distance(typed, a) < edit_distance(typed, b);
      });
  if (nearest == names.end()) return "";
  if (3 * edit_distance(typed, *nearest) > std::max(typed.size(), nearest->size()))
    nearest = std::find_if(names.begin(), names.end(),
                           [&](const std::string& name) { return abbreviates(typed, name); });
  return nearest == names.end() ? "" : *nearest;
}

/// `; did you mean "width"?`, with the name that is nearest, or nothing.
inline std::string did_you_mean(const std::string& typed, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(typed, names);
  return nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?";
}

/// The long names of a command's options, as config files have them.
inline std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

/// For CLI::Option::check(): one of these names.
inline CLI::Validator one_of(const std::vector<std::string>& names) {
  const auto joined = [&names](const std::string& between) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : between) + name;
    return list;
  };
  return CLI::Validator(
      [names, all = joined(", ")](std::string& input) -> std::string {
        if (std::find(names.begin(), names.end(), input) != names.end()) return "";
        return "must be one of " + all + ": got \"" + input + "\"" + did_you_mean(input, names);
      },
      "{" + joined(",") + "}");
}

namespace mistakes {

/// The command that was named last, or the program itself.
inline const CLI::App& chosen(const CLI::App& app) {
  const std::vector<CLI::App*> named = app.get_subcommands();
  return named.empty() ? app : chosen(*named.back());
}

inline std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(each->get_name());
  return names;
}

inline std::string command_list(const CLI::App& app) {
  std::string list;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    list += "\n  " + each->get_name() +
            std::string(12 - std::min<std::size_t>(each->get_name().size(), 11), ' ') +
            each->get_description();
  return list;
}

/// An option of a command as it is typed: `--steps=3` is `steps`.
inline std::string name_of_option(const std::string& typed) {
  const std::size_t begin = typed.find_first_not_of('-');
  return begin == std::string::npos ? "" : typed.substr(begin, typed.find('=') - begin);
}

/// Whether what an option demands holds for a value.
inline bool takes(const CLI::Option& option, const std::string& value) {
  const std::string type = option.get_type_name();  // as CLI::IsMember and one_of() end it
  const auto choices = type.find(":{");
  return choices == std::string::npos ||
         ("," + type.substr(choices + 2, type.size() - choices - 3) + ",").find("," + value + ",") !=
             std::string::npos;
}

/// A command line that gives the arguments to the first command that has the option which comes first among
/// them, by this name or one that is near; "" where none has.
inline std::string with_command(const CLI::App& app, const std::vector<std::string>& arguments,
                                const std::string& typed) {
  const std::string& first = arguments.front();
  const std::vector<const CLI::App*> commands = app.get_subcommands([](const CLI::App*) { return true; });
  std::vector<std::string> names;
  for (const CLI::App* each : commands)
    for (const std::string& name : option_names(*each)) names.push_back(name);
  const std::string name = nearest_name(name_of_option(first), names);
  if (name.empty()) return "";
  const auto equals = first.find('=');
  const std::string value = equals != std::string::npos ? first.substr(equals + 1)
                            : arguments.size() > 1      ? arguments[1]
                                                        : "";
  const CLI::App* chosen = nullptr;
  for (const CLI::App* each : commands) {
    const CLI::Option* const option = each->get_option_no_throw("--" + name);
    if (option && (!chosen || (!takes(*chosen->get_option("--" + name), value) && takes(*option, value))))
      chosen = each;
  }
  std::string line = typed + " " + chosen->get_name() + " --" + name;
  if (equals != std::string::npos) line += "=" + as_argument(value);
  for (std::size_t i = 1; i < arguments.size(); ++i) line += " " + as_argument(arguments[i]);
  return line;
}

/// The argument of a command that is given without an option, if it has this name; else null.
inline const CLI::Option* positional_of(const CLI::App& command, const std::string& name) {
  for (const CLI::Option* each : command.get_options())
    if (each->get_positional() && each->get_name(true) == name) return each;
  return nullptr;
}

/// The command that stands below "For example:" in the help of a command; none: "".
inline std::string example_of(const CLI::App& command) {
  const std::string heading = "For example:\n", footer = command.get_footer();
  const auto found = footer.rfind(heading);
  return found == std::string::npos ? "" : footer.substr(found + heading.size());
}

/// About what nothing was done with: `typed` is what begins the command line up to there.
inline std::string about_rest(const CLI::App& command, const std::vector<std::string>& rest,
                              const std::string& typed) {
  const std::vector<std::string> commands = command_names(command);
  if (!commands.empty() && command.get_subcommands().empty() && rest.front()[0] != '-') {
    const std::string nearest = did_you_mean(rest.front(), commands);
    return "there is no command \"" + rest.front() + "\"" +
           (nearest.empty() ? ", but there are these:" + command_list(command) : nearest);
  }
  const auto option = std::find_if(rest.begin(), rest.end(),
                                   [](const std::string& each) { return each.size() > 1 && each[0] == '-'; });
  if (option != rest.end()) {
    const auto equals = option->find('=');
    const std::string problem = "there is no option " + option->substr(0, equals);
    const std::string name = name_of_option(*option);
    if (const CLI::Option* const positional = positional_of(command, name)) {
      const std::string value = positional->count() > 0       ? positional->results().back()
                                : equals != std::string::npos ? option->substr(equals + 1)
                                                              : "";
      return problem + "; " + name + " is given without one:\n" +
             (value.empty() ? example_of(command) : typed + " " + as_argument(value));
    }
    const std::string nearest = nearest_name(name, option_names(command));
    if (!nearest.empty()) return problem + "; did you mean --" + nearest + "?";
    if (commands.empty()) return problem;
    const std::string meant = with_command(command, {option, rest.end()}, typed);
    return problem + " here; options stand after a command" + (meant.empty() ? "" : ":\n" + meant);
  }
  for (const CLI::Option* each : command.get_options()) {
    if (!each->get_positional() || each->count() == 0) continue;
    std::string whole = each->results().back();
    for (const std::string& word : rest) whole += " " + word;
    return "\"" + rest.front() + "\" is one word too many; quotation marks keep words together:\n" + typed +
           " " + in_quotes(whole);
  }
  return "\"" + rest.front() + "\" belongs to no option: a value stands after the name of its option";
}

}  // namespace mistakes

/// One sentence or two, for standard error, and how to get help.
inline std::string mistake_text(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = mistakes::chosen(app);
  std::string typed = typed_command(app.get_name()), name = app.get_name();
  for (const CLI::App* at = &app; at != &command;) {
    at = at->get_subcommands().back();
    typed += " " + at->get_name();
    name += " " + at->get_name();
  }
  const std::vector<std::string> rest = app.remaining(true);
  const bool something_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  std::string problem = error.what();
  if (!rest.empty() && (something_missing || dynamic_cast<const CLI::ExtrasError*>(&error))) {
    problem = mistakes::about_rest(command, rest, typed);
  } else if (something_missing && !mistakes::command_names(command).empty()) {
    problem = "a command is missing:" + mistakes::command_list(command);
  } else if (something_missing) {
    const std::string what = problem.substr(0, problem.find(" is required"));
    const CLI::Option* const option = command.get_option_no_throw(what);
    const std::string example = mistakes::example_of(command);
    problem = what + " is missing" + (option ? ": " + option->get_description() : "") +
              (example.empty() ? "" : ", for example\n" + example);
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) &&
             problem.find(" missing") != std::string::npos) {
    problem = problem.substr(0, problem.find(':')) + " needs a value";
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) &&
             problem.find("At Most 1 required") != std::string::npos) {
    problem = problem.substr(0, problem.find(':')) + " is given more than once";
  }
  return name + ": " + problem + "\nfor help:\n" + typed + " --help\n";
}
